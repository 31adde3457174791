// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker processes: what must not share a process with the caller (compiles under Isolation::worker, linking) runs in a
// child. A process with one thread forks, which costs next to nothing; one with more starts the worker program, because
// after a fork only the calling thread exists and locks held by others stay held.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <lathe/compiler.h>

namespace lathe::detail {

enum class WorkerTask : unsigned char { compile, link, tryPlugin };

struct WorkerCall {
  WorkerTask task;
  std::string payload;
};

/// The program started when forking is not possible; empty: searched for. Set once, by Compiler::create().
void setWorkerProgram(std::filesystem::path program);

/// Runs one call in a child, which is ended after `timeLimit` (0: never). Errors: what the task returned; CompilerCrash
/// with the signal if the child died; LimitExceeded if it was ended; ToolMissing if there is no worker program.
Result<std::string> runInWorker(const WorkerCall& call, std::chrono::milliseconds timeLimit = {});

/// Runs one call here. The body of both kinds of child.
Result<std::string> serve(const WorkerCall& call);
/// Whether this process is such a child.
bool isWorker() noexcept;

/// What a worker may do that the public interface does not offer.
struct WorkerAccess {
  static Result<CompileResult> start(const Compiler& compiler, const Job& job, const CompileRequest& request,
                                     const CompileRecord* inputs, bool scanOnly) {
    return compiler.start(job, request, inputs, scanOnly);
  }
};

/// A compile for a worker.
struct CompileCall {
  const Job& job;
  const CompileRequest& request;
  const std::vector<std::filesystem::path>& targetPath;
  const CompileRecord* inputs = nullptr;  ///< of a replay
  bool scanOnly = false;
};
/// The payloads of WorkerTask::compile.
std::string encodeCompile(const CompileCall& call);
/// `record`, if not null, is filled also when the result is an error.
Result<CompileResult> decodeCompileResult(std::string_view bytes, CompileRecord* record);
/// The same on the other side. Errors: Internal, and those of jobFromBytes().
struct DecodedCompile {
  Job job;
  CompileRequest request;  ///< in process, without a record
  std::vector<std::filesystem::path> targetPath;
  std::optional<CompileRecord> inputs;
  bool recorded = false;  ///< the caller wants a record
  bool scanOnly = false;
};
Result<DecodedCompile> decodeCompile(std::string_view payload);
/// `record`: null if none was wanted.
std::string encodeCompileResult(const Result<CompileResult>& result, const CompileRecord* record);
/// Serves a compile payload: decodes, compiles in process, encodes.
Result<std::string> serveCompile(std::string_view payload);
/// An error as the bytes of a frame, and back.
std::string encodeError(const Error& error);
Error decodeError(std::string_view bytes);
/// Serves the path of a plugin: loads it, to see whether a process survives that.
Result<std::string> tryPluginHere(std::string_view path);
/// Serves a link payload: a way to link (emit.link), a zero byte, an object.
Result<std::string> linkHere(std::string_view object);

}  // namespace lathe::detail
