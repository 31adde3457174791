// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tasks that workers do for the compiler.
#include <lathe/worker.h>

#include "core/cache/result_frame.h"
#include "core/driver/worker_values.h"
#include "core/emit/emit.h"
#include "core/emit/executable.h"
#include "core/emit/host_source.h"
#include "core/frontend/files/file_looks.h"
#include "core/target/plugin.h"

namespace lathe::detail {
namespace {

Result<std::string> serveCompile(std::string_view payload, const Tell& tell) {
  auto call = decodeCompile(payload);
  if (!call) return std::move(call).error();
  call->config.containCrashes = true;
  call->config.cache.enabled = false;  // the caller has looked there
  CompileRecord record;
  FileLooks files;
  if (call->recorded) call->request.record = &record;
  if (call->told) call->request.progress = [&](const CompileProgress& progress) { tell(encodeProgress(progress)); };
  auto compiler = Compiler::create(std::move(call->config));
  if (!compiler) return std::move(compiler).error();
  WorkerAccess::keepPreludesIn(*compiler, {.enabled = !call->preludeFolder.empty(),
                                           .folder = call->preludeFolder,
                                           .readOnly = call->preludesReadOnly,
                                           .diskBytes = call->preludeBytes});
  const CompileMode mode{.inputs = call->inputs ? &*call->inputs : nullptr,
                         .scanOnly = call->scanOnly,
                         .files = call->logged ? &files : nullptr,
                         .reuse = call->reuse ? &*call->reuse : nullptr};
  const std::size_t known = call->reuse ? call->reuse->kept.size() : 0;
  const auto result = WorkerAccess::start(*compiler, call->job, call->request, mode);
  if (!call->key.empty() && !WorkerAccess::hasKey(*compiler, call->job, call->key)) files.repeatable = false;
  const bool isNew = call->reuse && call->reuse->kept.size() > known;
  return encodeCompileResult(result, call->request.record, mode.files, isNew ? mode.reuse : nullptr);
}

}  // namespace

constinit const WorkerTask compileTask{"compile", serveCompile};

}  // namespace lathe::detail

int lathe::serveWorker(int input, int output) {
  static constexpr const detail::WorkerTask* tasks[] = {&detail::compileTask, &detail::linkTask,
                                                        &detail::linkProgramTask, &detail::hostSourceTask,
                                                        &detail::pluginTrialTask};
  return detail::serveWorker(input, output, tasks);
}
