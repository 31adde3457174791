// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of checked kernels that wait for other items. Items of a group, and the groups of a thread, run one after
// another: where every thread of a launch is in such a loop and stays there, nobody is left who could end it, but the
// host and other launches, which have the time of LaunchWaits::patience for it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace lathe::detail {

/// What the threads of a launch tell each other.
struct LaunchWaits {
  std::atomic<std::uint32_t> running = 0;  ///< threads that run checked code
  std::atomic<std::uint32_t> waiting = 0;  ///< of them those that wait
  std::atomic<std::uint64_t> steps = 0;    ///< changes of the two, and groups begun
  /// How long nothing of the launch may go on before its waits count as endless; 0: as long as it likes.
  std::chrono::nanoseconds patience{};
  std::atomic<bool> stuck = false;  ///< nobody goes on any more
};

/// The waiting of one thread.
class ThreadWait {
 public:
  /// The thread begins, or ends, to run code of a launch. The launch outlives that.
  void enter(LaunchWaits& launch) noexcept;
  void leave() noexcept;
  /// A group begins.
  void step() noexcept { launch_->steps.fetch_add(1, std::memory_order_relaxed); }
  /// The thread waits; that it did is no news.
  void begin() noexcept;
  void end() noexcept;
  /// Another iteration of a loop that waits. True if no thread of the launch has gone on for too long.
  [[nodiscard]] bool again() noexcept {
    if (!waiting_) begin();
    return (++looks_ % looksEach) == 0 && isStuck();
  }

 private:
  static constexpr std::uint32_t looksEach = 1024;
  [[nodiscard]] bool isStuck() noexcept;

  LaunchWaits* launch_ = nullptr;
  bool waiting_ = false;
  std::uint32_t looks_ = 0;
  std::uint64_t seen_ = 0;                       ///< steps at the last look
  std::chrono::steady_clock::time_point since_;  ///< there were no further steps
};

}  // namespace lathe::detail
