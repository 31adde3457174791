// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler as the runtime library calls it. Its compiler has the usual cache, so that a program pays once.
#include "core/support/compiler_entry.h"

#include <cstdlib>

#include <lathe/compiler.h>

#include "core/cache/build_identity.h"
#include "core/descriptor/candidate_path.h"
#include "core/store/surroundings.h"
#include "core/target/builtin.h"
#include "core/target/registry.h"

namespace {

/// Never destroyed: programs may launch while objects of static storage go.
const lathe::Result<lathe::Compiler>& sharedCompiler() {
  static const auto& compiler = *new lathe::Result<lathe::Compiler>(lathe::Compiler::create());
  return compiler;
}

/// What decides the result of `job` beside what is in it; empty: more than can be told.
std::string surroundingsOf(const lathe::Job& job) {
  using namespace lathe::detail;
  constexpr const char* targetPath = "LATHE_TARGET_PATH";
  const char* const folders = std::getenv(targetPath);
  if (folders && *folders) return {};  // descriptors may come and go there
  const auto targets = TargetRegistry::create({.targets = builtinTargets, .dialects = builtinDialects()}, {});
  const auto target = targets ? targets->find(job.target) : targets.error();
  if (!target || !(*target)->plugins.empty()) return {};
  const auto descriptor = (*target)->file.resolved(job.arch);
  if (!descriptor) return {};
  Surroundings out;
  out.variable(targetPath);
  for (const std::string& file : buildFiles()) out.file(file);
  for (const DeviceLibrary& library : (*descriptor)->deviceLibraries) {
    for (const std::string& file : library.files) {
      if (const std::string name = variableOf(file); !name.empty()) out.variable(name);
      if (const std::string path = expandedPath(file, Variables()); !path.empty()) out.file(path);
    }
  }
  return out.text();
}

struct Compiled {
  lathe::Image image;
  std::string surroundings;
};

lathe::Result<Compiled> compiled(std::string image, std::string_view runtime, const std::string& arch) {
  const auto& compiler = sharedCompiler();
  if (!compiler) return compiler.error();
  lathe::Job job;
  job.source = {.name = "portable.limg", .text = std::move(image), .dialect = "ir"};
  job.target.clear();
  for (const lathe::TargetInfo& target : compiler->targets()) {
    // Of several targets of a runtime, the one that is called like it is the usual.
    if (target.runtime == runtime && (job.target.empty() || target.name == runtime)) job.target = target.name;
  }
  if (job.target.empty())
    return lathe::Error{.code = lathe::ErrorCode::UnknownTarget, .message = "no target makes code for this device"};
  job.arch = arch;
  auto result = compiler->compile(job);
  if (!result && result.error().code == lathe::ErrorCode::UnknownArchitecture) {
    job.arch.clear();
    result = compiler->compile(job);
  }
  if (!result) return std::move(result).error();
  return Compiled{result->image, surroundingsOf(job)};
}

}  // namespace

extern "C" LATHE_API void lathe_compile_portable_2(const char* image, std::size_t bytes, const char* runtime,
                                                   const char* arch, lathe::detail::DeliverAnswer* deliver,
                                                   void* context) {
  const auto result = compiled({image, bytes}, runtime, arch);
  if (!result) return deliver(context, {nullptr, 0, nullptr, 0, result.error().message.c_str()});
  const auto made = result->image.bytes();
  deliver(context, {reinterpret_cast<const char*>(made.data()), made.size(), result->surroundings.data(),
                    result->surroundings.size(), ""});
}
