// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker processes. A call goes in through a pipe: the task's name, a zero byte, the payload. Its answer comes back as
// a byte that tells success, then the result or the error's frame.
#include "core/process/worker.h"

#include <dlfcn.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "core/process/child.h"
#include "core/process/recovery.h"
#include "core/values/frame.h"

extern char** environ;

namespace lathe::detail {
namespace {

// --- frames ------------------------------------------------------------------------------------------------------

std::string answerFrame(const Result<std::string>& answer) {
  return answer ? "\1" + *answer : std::string("\0", 1) + encodeError(answer.error());
}

/// What a child wrote and how it ended, as a result.
Result<std::string> readAnswer(const std::string& frame, int status) {
  if (const std::string signal = endingSignal(status); !signal.empty()) {
    return Error{.code = ErrorCode::CompilerCrash,
                 .message = "the compiler's process died of " + signal,
                 .hint =
                     "this is a defect of Lathe or LLVM: please report it with the source; a simpler form of the "
                     "kernel may compile"};
  }
  if (frame.empty()) {
    return Error{
        .code = ErrorCode::CompilerCrash,
        .message = "the compiler's process ended without an answer, exit code " + std::to_string(WEXITSTATUS(status))};
  }
  if (frame.front() == '\1') return frame.substr(1);
  return decodeError(std::string_view(frame).substr(1));
}

// --- children ----------------------------------------------------------------------------------------------------

Error noProcess(const char* what) {
  return {.code = ErrorCode::OutOfHostMemory,
          .message = std::string("no worker process can be started: ") + what + ": " + std::strerror(errno)};
}

/// Reads a child's answer and waits for its end, or brings that about when its time is up.
Result<std::string> answerOf(pid_t child, int from, const Deadline& deadline) {
  std::string frame;
  const bool complete = readAll(from, frame, deadline);
  const bool late = !complete && deadline.hasPassed();
  if (!complete) ::kill(child, SIGKILL);
  const int status = waitFor(child);
  if (late) {
    return Error{.code = ErrorCode::LimitExceeded,
                 .message = fmt::format("the compile took longer than {:g} s and was ended", deadline.limitInSeconds()),
                 .hint =
                     "raise the limit (--timeout, CompileRequest::timeLimit), or look for a recursive template or "
                     "an unrolled loop without end"};
  }
  return readAnswer(frame, status);
}

/// Set in children only: by servedHere() after a fork, by serveWorker() in the worker program.
std::atomic<bool> servesCalls = false;

Result<std::string> servedHere(const WorkerTask& task, std::string_view payload) {
  servesCalls = true;
  return task.serve(payload);
}

Result<std::string> runByFork(const WorkerTask& task, std::string_view payload, const Deadline& deadline) {
  Pipe answer;
  if (!answer.open()) return noProcess("pipe");
  const pid_t child = forkChild(answer, [&](int to) { (void)writeAll(to, answerFrame(servedHere(task, payload))); });
  if (child < 0) return noProcess("fork");
  return answerOf(child, answer.ends[0], deadline);
}

/// `lathe` beside this library or in the bin folder next to it, else on PATH.
std::filesystem::path ownProgram() {
  Dl_info self{};
  std::error_code ignored;
  if (dladdr(reinterpret_cast<const void*>(&ownProgram), &self) && self.dli_fname) {
    const std::filesystem::path folder = std::filesystem::canonical(self.dli_fname, ignored).parent_path();
    for (const std::filesystem::path& candidate : {folder / "lathe", folder.parent_path() / "bin" / "lathe"}) {
      if (access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate, ignored))
        return candidate;
    }
  }
  return "lathe";
}

Result<std::string> runBySpawn(const std::filesystem::path& configured, const WorkerTask& task,
                               std::string_view payload, const Deadline& deadline) {
  Pipe input, output;
  if (!input.open() || !output.open()) return noProcess("pipe");
  const std::string program = (configured.empty() ? ownProgram() : configured).string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.ends[0], 0);
  posix_spawn_file_actions_adddup2(&actions, output.ends[1], 1);
  char* const arguments[] = {const_cast<char*>(program.c_str()), const_cast<char*>("worker"), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    return Error{.code = ErrorCode::ToolMissing,
                 .message = "the worker program '" + program + "' cannot be started: " + std::strerror(failed),
                 .hint = "install the lathe tool beside the library, or set CompilerConfig::workerProgram"};
  }
  input.close(0);
  output.close(1);
  // The child reads all of its input before it writes, so writing first cannot deadlock. A child that died makes the
  // write fail: its exit status tells why.
  sigset_t pipeSignal, before;
  sigemptyset(&pipeSignal);
  sigaddset(&pipeSignal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipeSignal, &before);
  (void)writeAll(input.ends[1], fmt::format("{}{}{}", task.name, '\0', payload), deadline);
  const timespec now{};
  while (sigtimedwait(&pipeSignal, nullptr, &now) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  input.close(1);
  return answerOf(child, output.ends[0], deadline);
}

}  // namespace

bool isWorker() noexcept {
  return servesCalls;
}

// After a crash only a fresh process will do: a fork would inherit the count of crashes, which asks for a worker, and
// whatever the crashed compile left locked.
Result<std::string> Workers::run(const WorkerTask& task, std::string_view payload,
                                 std::chrono::milliseconds timeLimit) const {
  const Deadline deadline = timeLimit.count() > 0 ? Deadline(timeLimit) : Deadline();
  return isSingleThreaded() && containedCrashes() == 0 ? runByFork(task, payload, deadline)
                                                       : runBySpawn(program_, task, payload, deadline);
}

int serveWorker(int input, int output, std::span<const WorkerTask* const> tasks) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed caller must not leave a compile behind
  std::string frame;
  if (!readAll(input, frame)) return 2;
  const std::string_view call = frame;
  const std::size_t end = call.find('\0');
  if (end == call.npos) return 2;
  const auto task = std::ranges::find(tasks, call.substr(0, end), [](const WorkerTask* one) { return one->name; });
  const Result<std::string> answer =
      task == tasks.end()
          ? Error{.code = ErrorCode::Internal,
                  .message = "a worker was given an unknown task; are it and its caller of one version?"}
          : servedHere(**task, call.substr(end + 1));
  return writeAll(output, answerFrame(answer)) ? 0 : 1;
}

}  // namespace lathe::detail
