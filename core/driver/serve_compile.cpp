// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compile in a worker.
#include "core/driver/worker.h"

namespace lathe::detail {

Result<std::string> serveCompile(std::string_view payload) {
  auto call = decodeCompile(payload);
  if (!call) return std::move(call).error();
  CompilerConfig config;
  config.containCrashes = true;
  config.targetPath = std::move(call->targetPath);
  CompileRecord record;
  if (call->recorded) call->request.record = &record;
  auto compiler = Compiler::create(std::move(config));
  if (!compiler) return std::move(compiler).error();
  const auto result =
      WorkerAccess::start(*compiler, call->job, call->request, call->inputs ? &*call->inputs : nullptr, call->scanOnly);
  return encodeCompileResult(result, call->request.record);
}

}  // namespace lathe::detail
