// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of launches of which no group ends (lathe::reportKernelStalls). A thread that runs kernels shows in its seat
// which launch it works for and how many calls of kernel code it has begun. A thread of our own looks at the seats now
// and then; where nothing changes for long, it asks the threads by a signal where they are.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include <lathe/result.h>

namespace lathe::detail::stall {

struct Seat;
/// Calls of kernel code that a thread has begun. It alone changes it, so that takes no locked instruction.
class Calls {
 public:
  void count() noexcept { begun_.store(begun() + 1, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t begun() const noexcept { return begun_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> begun_ = 0;
};

extern std::atomic<bool> watched;  ///< reportKernelStalls() was called, and the time is not 0

/// Error: LATHE_CPU_STALL_SECONDS is no number of seconds.
[[nodiscard]] Result<void> checkVariable();
/// How long nothing may end; 0: as long as it likes.
[[nodiscard]] std::chrono::nanoseconds patience() noexcept;

/// A number that no other launch of the process has; not 0.
[[nodiscard]] std::uint64_t nextLaunch() noexcept;
/// The calling thread works for a launch. Null without memory.
[[nodiscard]] Seat* enter(std::uint64_t launch) noexcept;
/// It works for `outer` again, or for none if that is 0.
void leave(Seat& seat, std::uint64_t outer) noexcept;
[[nodiscard]] Calls& callsOf(Seat& seat) noexcept;

}  // namespace lathe::detail::stall
