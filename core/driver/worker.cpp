// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker processes. A call goes in as one frame on a pipe and comes back as one frame: a byte that tells success, then
// bytes (worker_values.cpp).
#include "core/driver/worker.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <mutex>

#include <fmt/format.h>

#include <lathe/worker.h>

#include "core/driver/recovery.h"

extern char** environ;

namespace lathe::detail {
namespace {

// --- frames ------------------------------------------------------------------------------------------------------

using Clock = std::chrono::steady_clock;

/// When a call has to be done, and how long it had; without a limit, never.
class Deadline {
 public:
  Deadline() = default;
  explicit Deadline(std::chrono::milliseconds limit) : limit_(limit), at_(Clock::now() + limit) {}

  [[nodiscard]] bool isSet() const { return limit_.count() > 0; }
  [[nodiscard]] bool hasPassed() const { return isSet() && Clock::now() >= at_; }
  /// Milliseconds, rounded up.
  [[nodiscard]] std::int64_t left() const {
    return std::chrono::ceil<std::chrono::milliseconds>(at_ - Clock::now()).count();
  }
  [[nodiscard]] double limitInSeconds() const { return std::chrono::duration<double>(limit_).count(); }

 private:
  std::chrono::milliseconds limit_{};
  Clock::time_point at_;
};

/// Waits until `file` can be read or written (`event`: POLLIN, POLLOUT) at once. False on a failure and at the
/// deadline.
bool readyBefore(const Deadline& deadline, int file, short event) {
  while (deadline.isSet()) {
    const std::int64_t left = deadline.left();
    if (left <= 0) return false;
    pollfd ready{file, event, 0};
    const int woken = poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left, INT_MAX)));
    if (woken > 0) return true;
    if (woken < 0 && errno != EINTR) return false;
  }
  return true;
}

/// False on a failure, and at the deadline, if there is one.
bool writeAll(int to, std::string_view bytes, const Deadline& deadline = {}) {
  while (!bytes.empty()) {
    if (!readyBefore(deadline, to, POLLOUT)) return false;
    // A pipe that is ready takes PIPE_BUF bytes without blocking, and may block on one more.
    const ssize_t count =
        write(to, bytes.data(), deadline.isSet() ? std::min<std::size_t>(bytes.size(), PIPE_BUF) : bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Reads until the end. False on a failure, and at the deadline, if there is one.
bool readAll(int from, std::string& out, const Deadline& deadline = {}) {
  std::array<char, 65536> buffer;
  while (true) {
    if (!readyBefore(deadline, from, POLLIN)) return false;
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) return true;
    out.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

std::string answerFrame(const Result<std::string>& answer) {
  return answer ? "\1" + *answer : std::string("\0", 1) + encodeError(answer.error());
}

/// What a child wrote and how it ended, as a result.
Result<std::string> readAnswer(const std::string& frame, int status) {
  if (WIFSIGNALED(status)) {
    const char* const name = sigabbrev_np(WTERMSIG(status));
    return Error{.code = ErrorCode::CompilerCrash,
                 .message = std::string("the compiler's process died of SIG") + (name ? name : "?"),
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

bool isSingleThreaded() {
  DIR* const tasks = opendir("/proc/self/task");
  if (!tasks) return false;
  unsigned count = 0;
  while (const dirent* entry = readdir(tasks)) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count == 1;
}

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }
  bool open() { return pipe2(ends, O_CLOEXEC) == 0; }
  void close(int end) {
    if (ends[end] >= 0) ::close(std::exchange(ends[end], -1));
  }
};

Error noProcess(const char* what) {
  return {.code = ErrorCode::OutOfHostMemory,
          .message = std::string("no worker process can be started: ") + what + ": " + std::strerror(errno)};
}

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
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

/// A child must not outlive its parent: a killed caller would leave it compiling.
void dieWithParent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before the line above
}

Result<std::string> runByFork(const WorkerCall& call, const Deadline& deadline) {
  Pipe answer;
  if (!answer.open()) return noProcess("pipe");
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child < 0) return noProcess("fork");
  if (child == 0) {
    dieWithParent(self);
    (void)writeAll(answer.ends[1], answerFrame(serve(call)));
    _exit(0);  // destructors and buffers belong to the parent
  }
  answer.close(1);
  return answerOf(child, answer.ends[0], deadline);
}

std::atomic<bool> servesCalls = false;

std::filesystem::path& configuredProgram() {
  static std::filesystem::path program;
  return program;
}
std::mutex& programLock() {
  static std::mutex lock;
  return lock;
}

/// The worker program: the configured one, else `lathe` in the bin folder beside this library, else on PATH.
std::filesystem::path workerProgram() {
  {
    const std::lock_guard lock(programLock());
    if (!configuredProgram().empty()) return configuredProgram();
  }
  Dl_info self{};
  std::error_code ignored;
  if (dladdr(reinterpret_cast<const void*>(&workerProgram), &self) && self.dli_fname) {
    const std::filesystem::path folder = std::filesystem::canonical(self.dli_fname, ignored).parent_path();
    for (const std::filesystem::path& candidate : {folder / "lathe", folder.parent_path() / "bin" / "lathe"}) {
      if (access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate, ignored))
        return candidate;
    }
  }
  return "lathe";
}

Result<std::string> runBySpawn(const WorkerCall& call, const Deadline& deadline) {
  Pipe input, output;
  if (!input.open() || !output.open()) return noProcess("pipe");
  const std::string program = workerProgram().string();
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
  (void)writeAll(input.ends[1], std::string(1, static_cast<char>(call.task)) + call.payload, deadline);
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

void setWorkerProgram(std::filesystem::path program) {
  const std::lock_guard lock(programLock());
  if (!program.empty()) configuredProgram() = std::move(program);
}

/// After a crash only a fresh process will do: a fork would inherit the count of crashes, which asks for a worker, and
/// whatever the crashed compile left locked.
Result<std::string> runInWorker(const WorkerCall& call, std::chrono::milliseconds timeLimit) {
  const Deadline deadline = timeLimit.count() > 0 ? Deadline(timeLimit) : Deadline();
  return isSingleThreaded() && containedCrashes() == 0 ? runByFork(call, deadline) : runBySpawn(call, deadline);
}

Result<std::string> serve(const WorkerCall& call) {
  servesCalls = true;
  switch (call.task) {
    case WorkerTask::compile:
      return serveCompile(call.payload);
    case WorkerTask::link:
      return linkHere(call.payload);
    case WorkerTask::tryPlugin:
      return tryPluginHere(call.payload);
  }
  return Error{.code = ErrorCode::Internal, .message = "a worker was given an unknown task"};
}

}  // namespace lathe::detail

int lathe::serveWorker(int input, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed caller must not leave a compile behind
  std::string frame;
  if (!detail::readAll(input, frame) || frame.empty()) return 2;
  const detail::WorkerCall call{static_cast<detail::WorkerTask>(frame.front()), frame.substr(1)};
  return detail::writeAll(output, detail::answerFrame(detail::serve(call))) ? 0 : 1;
}
