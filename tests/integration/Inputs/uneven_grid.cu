// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds that end in a barrier of the grid, with groups of which some have fewer items left than others: each item reads what
// another group's wrote in the same round.
#include <cooperative_groups.h>

extern "C" __global__ void uneven(int* values, int* wrong, int items, int rounds) {
  const auto grid = cooperative_groups::this_grid();
  const int item = static_cast<int>(grid.thread_rank());
  if (item >= items) return;
  for (int round = 1; round <= rounds; ++round) {
    values[item] = round;
    grid.sync();
    if (values[items - 1 - item] != round) atomicAdd(wrong, 1);
    grid.sync();
  }
}
