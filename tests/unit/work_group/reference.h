// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference: every item of a group is a fiber, a barrier switches to the next one. It shares no idea with the
// lowering under test.
#pragma once

#include <array>
#include <functional>
#include <vector>

namespace lathe::test {

struct Extent {
  int x = 1;
  int y = 1;
  int z = 1;
  [[nodiscard]] int items() const { return x * y * z; }
};

struct Position {
  std::array<int, 3> item{};
  std::array<int, 3> group{};
  std::array<int, 3> size{};
  std::array<int, 3> count{};
  int* dynamicShared = nullptr;
};

/// Of the fiber that runs.
extern Position current;

/// A barrier: returns when every item of the group that has not returned has come to one.
void waitForOthers();

/// Runs `item` once for each item of the grid, groups one after another.
void runReference(Extent count, Extent size, std::size_t dynamicBytes, const std::function<void()>& item);

}  // namespace lathe::test
