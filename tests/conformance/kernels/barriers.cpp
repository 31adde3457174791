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

/// Rounds of a grid: each item adds what another group's had after the round before.
LATHE_KERNEL void grid_rounds(unsigned* values, unsigned rounds) {
  const unsigned count = lathe::global_size().x, i = lathe::global_id().x;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned other = values[round * count + (i + lathe::group_size().x) % count];
    values[(round + 1) * count + i] = values[round * count + i] * 3 + other;
    lathe::grid().barrier();
  }
}

/// Each group of a cluster takes the others' shared words; without clusters its own.
LATHE_KERNEL void cluster_sums(const unsigned* in, unsigned* out) {
  LATHE_SHARED unsigned mine[64];
  const unsigned item = lathe::item_id().x, i = lathe::global_id().x;
  const auto cluster = lathe::cluster();
  mine[item] = in[i];
  cluster.arrive();
  out[i] = cluster.id() << 16 | cluster.size();
  cluster.wait();
  unsigned sum = 0;
  for (unsigned group = 0; group < cluster.size(); ++group) sum += *cluster.shared(&mine[63 - item], group);
  out[i + lathe::global_size().x] = sum;
  cluster.barrier();  // no group ends while another reads its memory
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
