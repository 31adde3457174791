// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers: what items see of each other, and what barriers that vote return. basics.cpp has loops and branches.
#include <lathe/device.h>

/// Three votes an item on its value, in a row of three.
LATHE_KERNEL void votes(const unsigned* in, unsigned* out) {
  const unsigned i = lathe::global_id().x;
  out[3 * i] = __lathe_group_barrier_count(in[i]);
  out[3 * i + 1] = __lathe_group_barrier_and(in[i]);
  out[3 * i + 2] = __lathe_group_barrier_or(in[i]);
}

/// A flag that the last item raises and the first clears: wrong where a compiler keeps it in a register.
LATHE_KERNEL void flag_twice(const int* in, int* out) {
  LATHE_SHARED int flag;
  const unsigned item = lathe::item_id().x, i = lathe::global_id().x;
  if (item == 0) flag = 1;
  lathe::barrier();
  const int first = flag;
  lathe::barrier();
  if (item == lathe::group_size().x - 1) flag = in[lathe::group_id().x];
  lathe::barrier();
  out[2 * i] = first;
  out[2 * i + 1] = flag;
}

/// A whole group's neighbours through shared memory, twice.
LATHE_KERNEL void reversed(int* data) {
  LATHE_SHARED int tile[128];
  const unsigned item = lathe::linear_item_id(), n = lathe::linear_group_size();
  int* const mine = data + lathe::group_id().x * n;
  tile[item] = mine[item];
  lathe::barrier();
  mine[item] = tile[n - 1 - item] - tile[(item + 1) % n];
}
