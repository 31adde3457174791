// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker processes: what must not share a process with the caller runs in a child. A process with one thread forks,
// which costs next to nothing; one with more starts the worker program, because after a fork only the calling thread
// exists and locks held by others stay held. What workers do is not known here: tasks are handed in.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include <lathe/result.h>

namespace lathe::detail {

/// A function that sends a message to the caller of a task while the task runs.
using Tell = std::function<void(std::string_view message)>;

/// One kind of work. A worker program finds it by its name (serveWorker()).
struct WorkerTask {
  std::string_view name;  ///< without zero bytes
  /// Does it, in the child. Payload, messages and result are the task's own bytes.
  Result<std::string> (*serve)(std::string_view payload, const Tell& tell);
};

/// What bounds a task beside its own work, and who hears of it. Give it a name: g++ 12 destroys twice what stands
/// beside a temporary one in a list of arguments.
struct WorkerLimits {
  std::chrono::milliseconds time = {};  ///< 0: none
  std::stop_token stop = {};            ///< ends the child
  Tell heard = {};                      ///< called with each message, on the thread of run(); empty: nobody listens
};

/// Starts children. Immutable and thread-safe.
class Workers {
 public:
  /// `program` is started when forking is not possible; empty: `lathe` beside this library, in ../bin, or on PATH.
  explicit Workers(std::filesystem::path program = {}) : program_(std::move(program)) {}

  /// Runs one task in a child. Errors: those of the task; CompilerCrash with the signal if the child died;
  /// LimitExceeded and Cancelled if it was ended; ToolMissing if there is no worker program.
  [[nodiscard]] Result<std::string> run(const WorkerTask& task, std::string_view payload,
                                        const WorkerLimits& limits = {}) const;

 private:
  std::filesystem::path program_;
};

/// The body of a worker program: reads one call from `input`, does it if `tasks` has it, writes the answer to `output`.
/// Returns the process's exit code.
int serveWorker(int input, int output, std::span<const WorkerTask* const> tasks);

/// True in such a child.
bool isWorker() noexcept;

}  // namespace lathe::detail
