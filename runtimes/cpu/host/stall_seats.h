// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seats of threads that run kernels, for who looks at them (stall_report.cpp).
#pragma once

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string_view>
#include <vector>

#include "runtimes/cpu/host/stall_report.h"

namespace lathe::detail::stall {

/// A text that a signal handler can keep.
template <std::size_t size>
class Kept {
 public:
  void keep(std::string_view text) noexcept {
    size_ = std::min(text.size(), size);
    std::memcpy(data_.data(), text.data(), size_);
  }
  [[nodiscard]] std::string_view view() const noexcept { return {data_.data(), size_}; }

 private:
  std::array<char, size> data_;
  std::size_t size_ = 0;
};

/// What a thread said of itself.
struct Answer {
  std::uint64_t launch = 0;  ///< 0: it runs no kernel any more
  Kept<1024> kernel;
  bool cooperative = false, waitsForGrid = false;
  std::array<std::uint32_t, 3> group{}, groupCount{};
  std::uint32_t groups = 0;
  Kept<1024> function, folder, file;
  std::uint64_t offset = 0;
  std::uint32_t line = 0;
};

/// One thread that runs kernels.
struct Seat {
  std::atomic<std::uint64_t> launch = 0;  ///< that the thread works for; 0: none
  Calls calls;
  pthread_t thread{};
  std::atomic<bool> asked = false;
  std::atomic<bool> answered = false;
  Answer answer;  ///< written between `asked` and `answered`
};

/// Who sits where. Never destroyed: threads may end after the process's statics.
struct Hall {
  std::mutex mutex;
  std::vector<Seat*> seats;
};
[[nodiscard]] Hall& hall();

/// Makes threads answer. A handler that was there before keeps getting what is not for it.
void installHandler();
/// Asks the seat's thread where it is; false if no answer comes. With the hall's lock: the thread does not end
/// meanwhile.
[[nodiscard]] bool ask(Seat& seat);

}  // namespace lathe::detail::stall
