// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code of a kernel may call of the runtime, beside libraries (loader/externals.h): the end of its group, the
// record of its launch, a print and launches; kernels in checked mode also call the checks. The runtime ABI
// (core/abi/runtime_abi.def) has them as `host_…` and `check_…`.
//
// A group that fails is left by longjmp from the middle of its code to the thread's loop over groups. Nothing is lost
// by that: kernel code has no destructors, its memory is the thread's.
#pragma once

#include <csetjmp>

#include <atomic>
#include <barrier>
#include <string_view>

#include <lathe/sdk/kernel_state.h>

#include "core/group/entry/group_entry.h"
#include "runtimes/common/print_text.h"
#include "runtimes/cpu/checks/group_checks.h"
#include "runtimes/cpu/host/crash_report.h"
#include "runtimes/cpu/host/device_launches.h"
#include "runtimes/cpu/host/stall_report.h"

namespace lathe::detail {

/// One launch, as its groups' threads share it.
class HostLaunch {
 public:
  /// All outlive it.
  HostLaunch(std::string_view kernel, abi::ExceptionRecord& exception, PrintOutput& output,
             const DeviceBuffers& buffers, DeviceLaunches& launches)
      : kernel_(kernel),
        exception_(exception),
        output_(output),
        launches_(launches),
        checks_(buffers, stall::patience()) {
    exception_.claimed = exception_.complete = 0;
  }
  [[nodiscard]] abi::ExceptionRecord& exception() const noexcept { return exception_; }
  [[nodiscard]] PrintOutput& output() const noexcept { return output_; }
  /// What its groups launch.
  [[nodiscard]] DeviceLaunches& launches() const noexcept { return launches_; }
  /// What checked mode found.
  [[nodiscard]] const Findings& findings() const noexcept { return checks_.findings; }
  /// Whether a group failed: then no other needs to start.
  [[nodiscard]] bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

  /// Calls `body`, which calls kernel code on this thread and has nothing to destroy. Returns when it does or when the
  /// code ends its group.
  template <class Body>
  void run(const Body& body) noexcept {
    prepareForCrashes();
    Frame frame;
    frame.launch = this;
    frame.outer = innermost_;
    if (number_ != 0) frame.seat = stall::enter(number_);
    innermost_ = &frame;
    if (_setjmp(frame.exit) == 0) body();
    if (frame.checks) frame.checks->end();
    innermost_ = frame.outer;
    if (frame.seat) stall::leave(*frame.seat, frame.outer ? frame.outer->launch->number_ : 0);
  }
  /// Within run(): what the groups are that the thread runs next. Outlives them.
  static void describeGroups(const abi::GroupLaunch& groups, std::size_t sharedBytes) noexcept {
    innermost_->groups = &groups;
    innermost_->sharedBytes = sharedBytes;
  }
  /// Within run(), of a launch that is watched: counts calls of the groups' code. Else null.
  [[nodiscard]] static stall::Calls* calls() noexcept {
    return innermost_->seat ? &stall::callsOf(*innermost_->seat) : nullptr;
  }
  /// Within run(): the groups' code has returned.
  static void finishGroups() noexcept;
  /// The checks of the thread's group.
  [[nodiscard]] static GroupChecks& checks() {
    Frame* const frame = innermost_;
    return frame && frame->checks ? *frame->checks : beginChecks();
  }

  /// The same if they are at work already; else null.
  [[nodiscard]] static GroupChecks* begunChecks() noexcept { return innermost_ ? innermost_->checks : nullptr; }

  /// Before the groups begin, each on a thread of its own: where they meet at a barrier of the grid. Outlives them.
  void meetAt(std::barrier<>* meeting) noexcept { meeting_ = meeting; }
  /// The thread's group waits for the others; false in a launch whose groups do not run at once. Does not return if one
  /// of them failed.
  [[nodiscard]] static bool convergeGrid() noexcept;
  /// No other group needs to start, and those that meet go no further.
  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }

  /// The launch that this thread works for; null if none.
  [[nodiscard]] static HostLaunch* current() noexcept { return innermost_ ? innermost_->launch : nullptr; }
  /// What this thread runs; `launch` is null if it runs no kernel. For signal handlers too.
  struct Place {
    const HostLaunch* launch = nullptr;
    std::string_view kernel;
    const abi::GroupLaunch* groups = nullptr;  ///< null: none has begun
    bool waitsForGrid = false;
  };
  [[nodiscard]] static Place place() noexcept {
    const Frame* const frame = innermost_;
    return frame ? Place{frame->launch, frame->launch->kernel_, frame->groups, frame->waitsForGrid} : Place();
  }
  /// Of launches that are watched: what no other launch is called; else 0.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  [[nodiscard]] bool isCooperative() const noexcept { return meeting_ != nullptr; }
  [[noreturn]] static void endGroup() noexcept;
  /// The same where there was no memory for the checks.
  [[noreturn]] static void endWithoutMemory() noexcept;
  [[nodiscard]] bool lackedMemory() const noexcept { return lackedMemory_.load(std::memory_order_relaxed); }

 private:
  struct Frame {
    HostLaunch* launch;
    Frame* outer;
    GroupChecks* checks = nullptr;  ///< once its code has asked for them
    const abi::GroupLaunch* groups = nullptr;
    std::size_t sharedBytes = 0;
    stall::Seat* seat = nullptr;  ///< of a launch that is watched
    bool waitsForGrid = false;
    std::jmp_buf exit;
  };
  static GroupChecks& beginChecks();
  /// Read at each access of a checked kernel, so found without a call; eight bytes are what every process has left.
  [[gnu::tls_model("initial-exec")]] static thread_local Frame* innermost_;

  std::string_view kernel_;
  abi::ExceptionRecord& exception_;
  PrintOutput& output_;
  DeviceLaunches& launches_;
  LaunchChecks checks_;
  std::barrier<>* meeting_ = nullptr;
  const std::uint64_t number_ = stall::watched.load(std::memory_order_relaxed) ? stall::nextLaunch() : 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> lackedMemory_ = false;
};

/// The address of one of the functions, or null.
[[nodiscard]] void* hostFunction(std::string_view name);

}  // namespace lathe::detail
