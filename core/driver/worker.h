// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker processes: what must not share a process with the caller (compiles under Isolation::worker, linking) runs in a
// child. A process with one thread forks, which costs next to nothing; one with more starts the worker program, because
// after a fork only the calling thread exists and locks held by others stay held.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <lathe/compiler.h>

namespace lathe::detail {

enum class WorkerTask : unsigned char { compile, link };

struct WorkerCall {
  WorkerTask task;
  std::string payload;
};

/// The program started when forking is not possible; empty: searched for. Set once, by Compiler::create().
void setWorkerProgram(std::filesystem::path program);

/// Runs one call in a child. Errors: what the task returned; CompilerCrash with the signal if the child died;
/// ToolMissing if there is no worker program.
Result<std::string> runInWorker(const WorkerCall& call);

/// Runs one call here. The body of both kinds of child.
Result<std::string> serve(const WorkerCall& call);

/// The payloads of WorkerTask::compile.
std::string encodeCompile(const Job& job, const CompileRequest& request,
                          const std::vector<std::filesystem::path>& targetPath);
Result<CompileResult> decodeCompileResult(std::string_view bytes);
/// Serves a compile payload: decodes, compiles in process, encodes.
Result<std::string> serveCompile(std::string_view payload);
/// Serves a link payload: a way to link (emit.link), a zero byte, an object.
Result<std::string> linkHere(std::string_view object);

}  // namespace lathe::detail
