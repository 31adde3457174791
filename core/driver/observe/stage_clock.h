// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of a compile's steps.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lathe/compiler.h>

namespace lathe::detail {

/// Stops the time of each step, if asked to.
class StageClock {
 public:
  explicit StageClock(bool enabled) : enabled_(enabled), begin_(Clock::now()), last_(begin_) {}
  void finished(std::string_view stage) {
    if (!enabled_) return;
    const Clock::time_point now = Clock::now();
    times_.push_back({std::string(stage), milliseconds(now - last_)});
    last_ = now;
  }
  std::vector<StageTime> take() {
    if (enabled_) times_.push_back({"total", milliseconds(Clock::now() - begin_)});
    return std::move(times_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

  bool enabled_;
  Clock::time_point begin_;
  Clock::time_point last_;
  std::vector<StageTime> times_;
};

}  // namespace lathe::detail
