// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipes and children by the system's calls.
#include "core/process/child.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

namespace lathe::detail {
namespace {

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

/// Appends up to `most` bytes that are there now or come next. Returns their number, 0 at the file's end, -1 on a
/// failure and at the deadline.
ssize_t readSome(int from, std::size_t most, std::string& out, const Deadline& deadline) {
  std::array<char, 65536> buffer;
  while (true) {
    if (!readyBefore(deadline, from, POLLIN)) return -1;
    const ssize_t count = read(from, buffer.data(), std::min(most, buffer.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count > 0) out.append(buffer.data(), static_cast<std::size_t>(count));
    return count;
  }
}

/// A child must not outlive its parent: a killed caller would leave it working.
void dieWithParent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before the line above
}

}  // namespace

bool writeAll(int to, std::string_view bytes, const Deadline& deadline) {
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

bool readAll(int from, std::string& out, const Deadline& deadline) {
  ssize_t count = 0;
  while ((count = readSome(from, SIZE_MAX, out, deadline)) > 0) {
  }
  return count == 0;
}

bool readExactly(int from, std::size_t size, std::string& out, const Deadline& deadline) {
  while (size > 0) {
    const ssize_t count = readSome(from, size, out, deadline);
    if (count <= 0) return false;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool Pipe::open() {
  return pipe2(ends, O_CLOEXEC) == 0;
}

void Pipe::close(int end) {
  if (ends[end] >= 0) ::close(std::exchange(ends[end], -1));
}

bool isSingleThreaded() {
  DIR* const tasks = opendir("/proc/self/task");
  if (!tasks) return false;
  unsigned count = 0;
  while (const dirent* entry = readdir(tasks)) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count == 1;
}

pid_t forkChild(Pipe& answer, const std::function<void(int)>& body) {
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child < 0) return child;
  if (child == 0) {
    dieWithParent(self);
    answer.close(0);
    body(answer.ends[1]);
    _exit(0);  // destructors and buffers belong to the parent
  }
  answer.close(1);
  return child;
}

pid_t startProgram(std::span<const std::string> words, int output) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t self = getpid();
  volatile int failed = 0;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // The child runs in this process's memory until it becomes the program, for which nothing has to be copied, and no
  // handler of this process may run there.
  const pid_t child = vfork();
  if (child == 0) {
    dieWithParent(self);
    for (int signal = 1; signal < NSIG; ++signal) {
      struct sigaction action{};
      if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
      action = {};
      action.sa_handler = SIG_DFL;
      (void)sigaction(signal, &action, nullptr);
    }
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(output, 1) >= 0 && dup2(output, 2) >= 0) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      execve(arguments.front(), arguments.data(), environ);
    }
    failed = errno;
    _exit(127);
  }
  const int reason = child < 0 ? errno : failed;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (reason == 0) return child;
  if (child > 0) (void)waitFor(child);
  errno = reason;
  return -1;
}

void awaitEnd(pid_t child) {
  siginfo_t ended{};
  while (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
}

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string endingSignal(int status) {
  if (!WIFSIGNALED(status)) return {};
  const char* const name = sigabbrev_np(WTERMSIG(status));
  return std::string("SIG") + (name ? name : "?");
}

}  // namespace lathe::detail
