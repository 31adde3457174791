// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker processes. A call goes in through a pipe: the task's name, a zero byte, the payload. Its answer comes back as
// a byte that tells success, then the result or the error's frame. Messages may come before: a byte, their length in
// four bytes, their text.
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
#include "core/process/temporary_files.h"
#include "core/support/cancelled.h"
#include "core/support/log.h"
#include "core/values/frame.h"

extern char** environ;

namespace lathe::detail {
namespace {

// --- frames ------------------------------------------------------------------------------------------------------

constexpr char failureFrame = 0, resultFrame = 1, messageFrame = 2;

std::string answerFrame(const Result<std::string>& answer) {
  return answer ? resultFrame + *answer : failureFrame + encodeError(answer.error());
}

/// Sends messages to the reader of `to`, who may be gone.
Tell tellTo(int to) {
  return [to](std::string_view text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    std::string frame(1, messageFrame);
    frame.append(reinterpret_cast<const char*>(&size), sizeof size).append(text);
    (void)writeAll(to, frame);
  };
}

/// Appends the answer in `from` to `out`, without the messages before it. False on a failure and at the deadline.
bool readPastMessages(int from, std::string& out, const Deadline& deadline, const Tell& heard) {
  while (true) {
    std::string kind, size, text;
    if (!readExactly(from, 1, kind, deadline)) return !deadline.hasPassed();
    if (kind.front() != messageFrame) {
      out = std::move(kind);
      return readAll(from, out, deadline);
    }
    std::uint32_t length = 0;
    if (!readExactly(from, sizeof length, size, deadline)) return false;
    std::memcpy(&length, size.data(), sizeof length);
    if (!readExactly(from, length, text, deadline)) return false;
    if (heard) heard(text);
  }
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
  if (frame.front() == resultFrame) return frame.substr(1);
  return decodeError(std::string_view(frame).substr(1));
}

// --- children ----------------------------------------------------------------------------------------------------

Error noProcess(const char* what) {
  return {.code = ErrorCode::OutOfHostMemory,
          .message = std::string("no worker process can be started: ") + what + ": " + std::strerror(errno)};
}

/// Reads a child's answer and waits for its end, or brings that about when its time is up or the caller wants it.
Result<std::string> answerOf(pid_t child, int from, const Deadline& deadline, const WorkerLimits& limits) {
  std::string frame;
  bool complete = false;
  {
    // It ends before the child is waited for: the number may be another process's then.
    const std::stop_callback kill(limits.stop, [child] { ::kill(child, SIGKILL); });
    complete = readPastMessages(from, frame, deadline, limits.heard);
  }
  const bool late = !complete && deadline.hasPassed();
  if (!complete) ::kill(child, SIGKILL);
  awaitEnd(child);
  if (!complete || frame.empty()) removeTemporaryFilesOf(child);
  const int status = waitFor(child);
  if (const std::string signal = endingSignal(status); !signal.empty() && logs(LogLevel::info))
    log(LogLevel::info, "worker", fmt::format("process {} was ended by {}", child, signal));
  if (limits.stop.stop_requested() && (!complete || frame.empty())) return cancelled();
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

std::string servedHere(const WorkerTask& task, std::string_view payload, int to) {
  servesCalls = true;
  muteLog();  // the caller says what is done
  return answerFrame(task.serve(payload, tellTo(to)));
}

Result<std::string> runByFork(const WorkerTask& task, std::string_view payload, const Deadline& deadline,
                              const WorkerLimits& limits) {
  Pipe answer;
  if (!answer.open()) return noProcess("pipe");
  const pid_t child = forkChild(answer, [&](int to) { (void)writeAll(to, servedHere(task, payload, to)); });
  if (child < 0) return noProcess("fork");
  return answerOf(child, answer.ends[0], deadline, limits);
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
                               std::string_view payload, const Deadline& deadline, const WorkerLimits& limits) {
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
  return answerOf(child, output.ends[0], deadline, limits);
}

}  // namespace

bool isWorker() noexcept {
  return servesCalls;
}

// After a crash only a fresh process will do: a fork would inherit the count of crashes, which asks for a worker, and
// whatever the crashed compile left locked.
Result<std::string> Workers::run(const WorkerTask& task, std::string_view payload, const WorkerLimits& limits) const {
  if (limits.stop.stop_requested()) return cancelled();
  const Deadline deadline = limits.time.count() > 0 ? Deadline(limits.time) : Deadline();
  return isSingleThreaded() && containedCrashes() == 0 ? runByFork(task, payload, deadline, limits)
                                                       : runBySpawn(program_, task, payload, deadline, limits);
}

int serveWorker(int input, int output, std::span<const WorkerTask* const> tasks) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed caller must not leave a compile behind
  std::string frame;
  if (!readAll(input, frame)) return 2;
  const std::string_view call = frame;
  const std::size_t end = call.find('\0');
  if (end == call.npos) return 2;
  const auto task = std::ranges::find(tasks, call.substr(0, end), [](const WorkerTask* one) { return one->name; });
  const std::string answer =
      task == tasks.end()
          ? answerFrame(Error{.code = ErrorCode::Internal,
                              .message = "a worker was given an unknown task; are it and its caller of one version?"})
          : servedHere(**task, call.substr(end + 1), output);
  return writeAll(output, answer) ? 0 : 1;
}

}  // namespace lathe::detail
