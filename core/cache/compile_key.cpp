// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collecting the parts of a key. Each is a value that another process on another machine could have too: no path where
// the content decides.
#include "core/cache/compile_key.h"

#include <algorithm>
#include <cstdlib>

#include "llvm/TargetParser/Host.h"

#include "core/cache/build_identity.h"
#include "core/cache/shared_paths.h"
#include "core/emit/emit.h"
#include "core/frontend/dialect.h"
#include "core/frontend/files/toolkit_folder.h"
#include "core/lower/device_libraries.h"
#include "core/lower/lowering.h"
#include "core/store/file_identity.h"
#include "core/support/digest.h"
#include "core/target/registry.h"

namespace lathe::detail {
namespace {

std::string hostFeatures() {
  static const std::string digest = [] {
    const auto features = llvm::sys::getHostCPUFeatures();
    std::vector<std::string> names;
    for (const auto& feature : features) names.push_back((feature.second ? "+" : "-") + feature.first().str());
    llvm::sort(names);
    Digest out;
    out.add(llvm::sys::getHostCPUName().str());
    for (const std::string& name : names) out.add(name);
    return out.hex();
  }();
  return digest;
}

}  // namespace

Result<CompileKey> keyOf(const Job& job, const TargetRegistry& targets, LibraryStore& libraries,
                         const sdk::Variables& variables, bool hasResolver) {
  auto target = targets.find(job.target);
  if (!target) return std::move(target).error();
  const TargetEntry& entry = **target;
  auto resolved = entry.file.resolved(job.arch);
  if (!resolved) return std::move(resolved).error();
  const Descriptor& descriptor = **resolved;
  std::vector<const Dialect*> dialects;  // of the sources
  std::string languages;                 // of each, which its name may have decided
  for (std::size_t i = 0; i <= job.furtherSources.size(); ++i) {
    const auto dialect = dialectOf(sourceOf(job, i), descriptor, targets.dialects());
    if (!dialect) return dialect.error();
    if (*dialect && !llvm::is_contained(dialects, *dialect)) dialects.push_back(*dialect);
    languages += (i == 0 ? "" : " ") + std::string(*dialect ? (*dialect)->name : "ir");
  }

  CompileKey key{canonicalBytes(job.options.prefixMap.empty() ? job : sharedJob(job)), {}};
  const auto add = [&](std::string name, std::string value) {
    if (!value.empty()) key.parts.push_back({std::move(name), std::move(value)});
  };
  add("compiler", buildIdentity());
  add("languages", languages);
  add("header resolver", hasResolver ? "given" : "");
  add("descriptor", entry.digest);
  for (const PluginMark& plugin : entry.plugins) {
    add("plugin", plugin.version);
    add("plugin's file", plugin.identity);
  }
  for (const Dialect* dialect : dialects) {
    if (const PluginMark* const plugin = targets.pluginMarkOf(*dialect)) {
      add("dialect's plugin", plugin->version);
      add("dialect's plugin file", plugin->identity);
    }
    add(epochSetting, variables.get(epochSetting));
  }
  add("architecture", descriptor.arch);
  if (descriptor.archIsNative) add("machine's features", hostFeatures());
  for (const DeviceLibrary& library : descriptor.deviceLibraries)
    add("library " + library.name, libraries.identityOf(library));
  for (const auto& format : formatsAsked(descriptor, job.emit)) {
    if (!format) continue;  // the compile says why
    for (const std::string& tool : entry.makeHooks()->toolsOf(*format, variables)) add("tool", fileIdentity(tool));
  }
  std::error_code unknown;
  if (job.options.debugInfo || descriptor.codegen.debugInfo)
    add("working directory", PathMap(job.options.prefixMap).shared(std::filesystem::current_path(unknown).string()));
  return key;
}

std::vector<std::string> filesBesideSources(const Job& job, const TargetRegistry& targets, LibraryStore& libraries) {
  const auto target = targets.find(job.target);
  const auto descriptor = target ? (*target)->file.resolved(job.arch) : target.error();
  if (!descriptor) return {};
  std::vector<std::string> out;
  const auto add = [&](const std::string& file) {
    std::error_code unknown;  // "built in" is no file
    if (std::filesystem::is_regular_file(file, unknown) && !llvm::is_contained(out, file)) out.push_back(file);
  };
  for (const InputDescriptor& source : (*target)->sources) add(source.origin);
  for (const PluginMark& plugin : (*target)->plugins) add(plugin.file.string());
  for (std::size_t i = 0; i <= job.furtherSources.size(); ++i) {
    const auto dialect = dialectOf(sourceOf(job, i), **descriptor, targets.dialects());
    const PluginMark* const plugin = dialect && *dialect ? targets.pluginMarkOf(**dialect) : nullptr;
    if (plugin) add(plugin->file.string());
  }
  for (const DeviceLibrary& library : (*descriptor)->deviceLibraries) add(libraries.fileOf(library));
  return out;
}

std::string toolkitNow(const Job& job, const TargetRegistry& targets, const sdk::Variables& variables,
                       std::string_view dialect) {
  const auto target = targets.find(job.target);
  const auto named = std::ranges::find(targets.dialects(), dialect, &Dialect::name);
  if (!target || named == targets.dialects().end()) return {};
  const auto descriptor = (*target)->file.resolved(job.arch);
  return descriptor ? toolkitFolder(**descriptor, **named, variables) : std::string();
}

}  // namespace lathe::detail
