// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker processes: what must not share a process with the caller runs in a child. A process with one thread forks,
// which costs next to nothing; one with more starts the worker program, because after a fork only the calling thread
// exists and locks held by others stay held. What workers do is not known here: tasks are handed in.
#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <lathe/result.h>

namespace lathe::detail {

/// One kind of work. A worker program finds it by its name (serveWorker()).
struct WorkerTask {
  std::string_view name;  ///< without zero bytes
  /// Does it, in the child. Payload and result are the task's own bytes.
  Result<std::string> (*serve)(std::string_view payload);
};

/// Starts children. Immutable and thread-safe.
class Workers {
 public:
  /// `program` is started when forking is not possible; empty: `lathe` beside this library, in ../bin, or on PATH.
  explicit Workers(std::filesystem::path program = {}) : program_(std::move(program)) {}

  /// Runs one task in a child, which is ended after `timeLimit` (0: never). Errors: those of the task; CompilerCrash
  /// with the signal if the child died; LimitExceeded if it was ended; ToolMissing if there is no worker program.
  [[nodiscard]] Result<std::string> run(const WorkerTask& task, std::string_view payload,
                                        std::chrono::milliseconds timeLimit = {}) const;

 private:
  std::filesystem::path program_;
};

/// The body of a worker program: reads one call from `input`, does it if `tasks` has it, writes the answer to `output`.
/// Returns the process's exit code.
int serveWorker(int input, int output, std::span<const WorkerTask* const> tasks);

/// True in such a child.
bool isWorker() noexcept;

}  // namespace lathe::detail
