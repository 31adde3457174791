// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler as the runtime library calls it. Its compiler has the usual cache, so that a program pays once.
#include "core/support/compiler_entry.h"

#include <lathe/compiler.h>

namespace {

/// Never destroyed: programs may launch while objects of static storage go.
const lathe::Result<lathe::Compiler>& sharedCompiler() {
  static const auto& compiler = *new lathe::Result<lathe::Compiler>(lathe::Compiler::create());
  return compiler;
}

lathe::Result<lathe::Image> compiled(std::string image, std::string_view runtime, const std::string& arch) {
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
  return result->image;
}

}  // namespace

extern "C" LATHE_API void lathe_compile_portable(const char* image, std::size_t bytes, const char* runtime,
                                                 const char* arch, lathe::detail::DeliverImage* deliver,
                                                 void* context) {
  const auto result = compiled({image, bytes}, runtime, arch);
  if (!result) return deliver(context, nullptr, 0, result.error().message.c_str());
  const auto made = result->bytes();
  deliver(context, reinterpret_cast<const char*>(made.data()), made.size(), "");
}
