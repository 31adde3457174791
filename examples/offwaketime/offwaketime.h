// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program in the kernel and the one that reads its maps share.
#pragma once

/// A map of stacks has one place for all stacks of one hash. What finds its place taken goes to a second map, and has
/// the number there and this.
constexpr unsigned placesOfStacks = 16384;

/// Who slept and who woke them. Stacks are numbers in the maps of stacks; below 0 there was none.
struct Wake {
  unsigned sleeper, waker;  ///< processes
  int sleeperKernel, sleeperUser, wakerKernel, wakerUser;
  char sleeperName[16], wakerName[16];
};

/// Of all sleeps of one Wake.
struct Total {
  unsigned long long nanoseconds, count;
};
