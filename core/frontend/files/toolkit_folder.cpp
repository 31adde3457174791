// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding a toolkit's headers.
#include "core/frontend/files/toolkit_folder.h"

#include <algorithm>
#include <filesystem>

#include <lathe/compiler.h>
#include <lathe/sdk/dialect.h>

#include "core/descriptor/candidate_path.h"
#include "core/descriptor/descriptor.h"

namespace lathe::detail {
namespace {

std::string kept(const CompileRecord& record, const char* name) {
  const auto at = std::ranges::find(record.libraries, name, &InputLibrary::name);
  return at == record.libraries.end() ? std::string() : at->path;
}

}  // namespace

std::string buildEpoch(const sdk::Variables& variables, const CompileRecord* replay) {
  return replay ? kept(*replay, epochSetting) : variables.get(epochSetting);
}

std::vector<InputLibrary> withSettings(std::vector<InputLibrary> libraries, const std::string& toolkit,
                                       const std::string& epoch) {
  if (!toolkit.empty()) libraries.push_back({toolkitSetting, toolkit, {}});
  if (!epoch.empty()) libraries.push_back({epochSetting, epoch, {}});
  return libraries;
}

std::string toolkitFolder(const Descriptor& descriptor, const sdk::Dialect& dialect, const Variables& variables,
                          const CompileRecord* replay) {
  if (replay) return kept(*replay, toolkitSetting);
  if (dialect.toolkitLibraries.empty()) return {};
  const auto isWhole = [&](const std::string& folder) {
    std::error_code unknown;
    return std::ranges::all_of(dialect.toolkitLibraries, [&](std::string_view library) {
      return std::filesystem::is_directory(folder + "/" + std::string(library), unknown);
    });
  };
  for (const std::string& candidate : descriptor.toolkitHeaders) {
    if (expandedPath(candidate, variables) == "none") return {};
    for (std::string& folder : matchingFolders(candidate, variables))
      if (isWhole(folder)) return std::move(folder);
  }
  return {};
}

}  // namespace lathe::detail
