// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Child processes that answer over a pipe: pipes, deadlines, forking and how a child ended. Linux only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace lathe::detail {

/// When something has to be done, and how long it had; without a limit, never.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default;
  /// A limit of 0 is none.
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

/// Writes all of `bytes` to a file. False on a failure and at the deadline.
[[nodiscard]] bool writeAll(int to, std::string_view bytes, const Deadline& deadline = {});
/// Appends to `out` what a file has until its end. False on a failure and at the deadline.
[[nodiscard]] bool readAll(int from, std::string& out, const Deadline& deadline = {});
/// Appends the next `size` bytes of a file to `out`. False on a failure, at the file's end and at the deadline.
[[nodiscard]] bool readExactly(int from, std::size_t size, std::string& out, const Deadline& deadline = {});

/// A pipe; its ends close with it, and in programs that this process starts.
struct Pipe {
  int ends[2] = {-1, -1};  ///< for reading, for writing
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }
  /// False, with errno set, if the process has no descriptors left.
  [[nodiscard]] bool open();
  void close(int end);
};

/// True if this process has no other thread, so that a forked child has everything that its parent had.
[[nodiscard]] bool isSingleThreaded();

/// Forks a child that runs `body` with the writing end of `answer`, a pipe just opened, and ends with exit code 0,
/// without destructors and without writing the parent's buffers. The child dies with its parent. Returns the child's
/// id, or -1 with errno set; in the parent the writing end is closed.
[[nodiscard]] pid_t forkChild(Pipe& answer, const std::function<void(int)>& body);

/// Starts the program whose path is the first of `words` with the rest as its arguments, without input; its standard
/// output and error go to the file `output`. It dies with the calling thread, which therefore has to wait for it.
/// Returns the child's id, or -1 with errno set.
[[nodiscard]] pid_t startProgram(std::span<const std::string> words, int output);

/// Waits until a child has ended. It stays there to be waited for.
void awaitEnd(pid_t child);

/// Waits for a child's end. Returns its status as waitpid() gives it.
[[nodiscard]] int waitFor(pid_t child);

/// "SIGSEGV" for the status of a child that a signal ended, else empty.
[[nodiscard]] std::string endingSignal(int status);

}  // namespace lathe::detail
