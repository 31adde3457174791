// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file descriptor that one object owns and closes.
#pragma once

#include <unistd.h>

#include <utility>

namespace lathe::detail {

/// Move-only.
class UniqueDescriptor {
 public:
  UniqueDescriptor() = default;
  explicit UniqueDescriptor(int number) : number_(number) {}
  UniqueDescriptor(UniqueDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  UniqueDescriptor& operator=(UniqueDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~UniqueDescriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] bool ok() const noexcept { return number_ >= 0; }
  [[nodiscard]] int get() const noexcept { return number_; }
  /// Closes now, for the error that only closing tells.
  [[nodiscard]] bool close() noexcept { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_ = -1;
};

}  // namespace lathe::detail
