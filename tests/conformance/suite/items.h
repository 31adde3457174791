// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid on the host, for references: every item is a fiber, and meets others by waiting for them. Slow, and right by
// its simplicity; it shares no idea with what it is compared with. A program in which items wait for each other for
// ever, or that names items in a mask which do not come, is found out: it means nothing on any device.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace lathe::conformance {

struct Place {
  unsigned x = 0, y = 0, z = 0;
};

/// Where the running item is.
struct Position {
  Place item, group;
  Place size{1, 1, 1}, count{1, 1, 1};
  unsigned linear = 0;  ///< among the group's items
};
[[nodiscard]] const Position& position();

inline constexpr unsigned warpItems = 32;

/// What the items of a subgroup that met brought along, by their place in it.
struct Meeting {
  std::uint32_t items = 0;
  std::array<std::uint32_t, warpItems> values{};
};

/// Returns when every item of `mask`, of those that have not returned, has called it with the same mask and kind.
[[nodiscard]] Meeting meetSubgroup(std::uint32_t mask, std::uint32_t value, int kind);
/// Returns when every item of the group that has not returned has called it: how many of them brought `vote`, and how
/// many came.
struct Count {
  unsigned votes = 0, items = 0;
};
Count meetGroup(bool vote = false);

/// Runs `item` for each item of the grid, one group after another. What is wrong with the program, or an empty string.
[[nodiscard]] std::string runItems(Place count, Place size, const std::function<void()>& item);

}  // namespace lathe::conformance
