// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/cpu/checks/waits.h"

#include <thread>

namespace lathe::detail {

void ThreadWait::enter(LaunchWaits& launch) noexcept {
  launch_ = &launch;
  waiting_ = false;
  launch.running.fetch_add(1);
  step();
}

void ThreadWait::leave() noexcept {
  end();
  launch_->running.fetch_sub(1);
  step();
}

void ThreadWait::begin() noexcept {
  waiting_ = true;
  looks_ = 0;
  launch_->waiting.fetch_add(1);
  step();
  seen_ = launch_->steps.load();
  since_ = std::chrono::steady_clock::now();
}

void ThreadWait::end() noexcept {
  if (!waiting_) return;
  waiting_ = false;
  launch_->waiting.fetch_sub(1);
  step();
}

bool ThreadWait::isStuck() noexcept {
  if (launch_->stuck.load()) return true;
  std::this_thread::yield();
  const auto patience = launch_->patience;
  const auto now = std::chrono::steady_clock::now();
  const std::uint64_t steps = launch_->steps.load();
  if (steps != seen_ || launch_->waiting.load() != launch_->running.load()) {
    seen_ = steps;
    since_ = now;
    return false;
  }
  if (patience.count() == 0 || now - since_ < patience) return false;
  launch_->stuck = true;
  return true;
}

}  // namespace lathe::detail
