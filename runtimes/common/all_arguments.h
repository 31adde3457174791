// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of arguments that a driver takes, with room for what Lathe adds.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace lathe::detail {

/// The user's arguments, by address, and what Lathe adds behind them. Allocates only for more than 60.
class AllArguments {
 public:
  explicit AllArguments(std::span<const void* const> given) : count_(given.size()) {
    if (given.size() + mostAdded > few_.size()) {
      many_.resize(given.size() + mostAdded);
      all_ = many_;
    }
    std::ranges::copy(given, all_.begin());
  }
  AllArguments(const AllArguments&) = delete;
  AllArguments& operator=(const AllArguments&) = delete;
  ~AllArguments() = default;
  /// At most four: what checkHidden() accepts (the state, the size of launch-sized memory, the group's extents), and
  /// what a coarse form takes.
  void add(const void* argument) { all_[count_++] = argument; }
  [[nodiscard]] const void* const* data() const noexcept { return all_.data(); }

 private:
  static constexpr std::size_t mostAdded = 4;
  std::array<const void*, 64> few_;
  std::vector<const void*> many_;
  std::span<const void*> all_ = few_;
  std::size_t count_;
};

}  // namespace lathe::detail
