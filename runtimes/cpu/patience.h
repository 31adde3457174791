// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looking for something before sleeping until it comes. To be woken takes tens of microseconds, longer than many
// launches, so who waits for the next launch keeps turning for a while; on a machine that others use too, no longer
// than it is likely to pay.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace lathe::detail {

/// Tells the processor that this thread only waits.
inline void pauseThread() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// True as soon as `ready()` is; false at `end`.
template <class Ready>
[[nodiscard]] bool lookUntil(std::chrono::steady_clock::time_point end, const Ready& ready) {
  constexpr int looksPerClock = 16;
  do {
    for (int i = 0; i < looksPerClock; ++i) {
      if (ready()) return true;
      pauseThread();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

/// How long one thread looks; grows while that pays, shrinks when it does not.
class Patience {
 public:
  static constexpr std::chrono::microseconds least{50}, most{400};

  /// When it ends, if it begins now.
  [[nodiscard]] std::chrono::steady_clock::time_point end() const {
    return std::chrono::steady_clock::now() + current_;
  }
  void paid() { current_ = std::min(most, current_ * 2); }
  void failed() { current_ = std::max(least, current_ / 2); }

 private:
  std::chrono::microseconds current_ = least;
};

}  // namespace lathe::detail
