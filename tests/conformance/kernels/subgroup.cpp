// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the items of a subgroup do together.
#include <lathe/device.h>

constexpr unsigned long all = ~0ul;

/// `width`, or the subgroup's if that is narrower.
LATHE_INLINE unsigned at_most(unsigned width) {
  return __lathe_subgroup_size() < width ? __lathe_subgroup_size() : width;
}

/// Four kinds of shuffle for three widths: twelve columns.
LATHE_KERNEL void shuffles(const unsigned* in, unsigned* out) {
  const unsigned i = lathe::global_id().x, value = in[i];
  unsigned* row = out + 12 * i;
  const unsigned widths[3] = {8, at_most(16), __lathe_subgroup_size()};
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const unsigned width = widths[k];
    *row++ = __lathe_shuffle_i32(all, value, value >> 3, width);
    *row++ = __lathe_shuffle_up_i32(all, value, 3, width);
    *row++ = __lathe_shuffle_down_i32(all, value, 5, width);
    *row++ = __lathe_shuffle_xor_i32(all, value, 6, width);
  }
}

/// The four kinds by a distance that is known at run time only: two columns each, of eight items and of all.
LATHE_KERNEL void shuffles_by_data(const unsigned* in, unsigned* out) {
  const unsigned i = lathe::global_id().x, value = in[i], distance = in[0] % 7 + 1;
  unsigned* const row = out + 8 * i;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned width = k == 0 ? 8 : __lathe_subgroup_size();
    row[k] = __lathe_shuffle_i32(all, value, distance, width);
    row[2 + k] = __lathe_shuffle_up_i32(all, value, distance, width);
    row[4 + k] = __lathe_shuffle_down_i32(all, value, distance, width);
    row[6 + k] = __lathe_shuffle_xor_i32(all, value, distance, width);
  }
}

LATHE_KERNEL void votes(const unsigned* in, unsigned* out) {
  const unsigned i = lathe::global_id().x, value = in[i];
  unsigned* const row = out + 8 * i;
  const unsigned long odd = __lathe_ballot(all, value & 1), active = __lathe_active_mask();
  row[0] = static_cast<unsigned>(odd);
  row[1] = static_cast<unsigned>(odd >> 32);
  row[2] = __lathe_vote_any(all, value & 2);
  row[3] = __lathe_vote_all(all, value & 4);
  row[4] = static_cast<unsigned>(active);
  row[5] = static_cast<unsigned>(active >> 32);
  row[6] = __lathe_subgroup_item_id();
  row[7] = __lathe_subgroup_size();
}

/// The lower half of each 32 items alone.
LATHE_KERNEL void half(const unsigned* in, unsigned* out) {
  const unsigned i = lathe::global_id().x, value = in[i], first = __lathe_subgroup_item_id() & 32;
  const unsigned long lower = 0xfffful << first;
  if (i % 32 < 16) {
    unsigned* const row = out + 4 * i;
    row[0] = static_cast<unsigned>(__lathe_ballot(lower, value & 1) >> first);
    row[1] = __lathe_vote_any(lower, value & 2);
    row[2] = __lathe_vote_all(lower, value & 4);
    row[3] = __lathe_shuffle_i32(lower, value, i + 1, at_most(16));
  }
}

/// Neighbours through shared memory, with only the subgroup's own barrier between.
LATHE_KERNEL void exchange(int* data) {
  LATHE_SHARED int slots[128];
  const unsigned item = lathe::item_id().x;
  slots[item] = data[lathe::global_id().x];
  __lathe_subgroup_barrier(all);
  const int other = slots[item ^ 1];
  __lathe_subgroup_barrier(all);
  slots[item] = other + 1;
  __lathe_subgroup_barrier(all);
  data[lathe::global_id().x] = slots[item ^ 2];
}

/// Shuffles that need nothing of each other, more than are made together, and chains of values and of places.
LATHE_KERNEL void rows(const unsigned* in, unsigned* out) {
  LATHE_SHARED unsigned slots[128];
  const unsigned i = lathe::global_id().x, item = lathe::item_id().x, value = in[i];
  const unsigned width = at_most(32);
  unsigned mixed = 0, sum = value, place = value, next[20];
#pragma unroll
  for (unsigned k = 0; k < 20; ++k) next[k] = __lathe_shuffle_xor_i32(all, value + k * item, k & (width - 1), width);
#pragma unroll
  for (unsigned k = 0; k < 20; ++k) mixed = mixed * 5 + next[k];
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    if (step < width) sum += __lathe_shuffle_xor_i32(all, sum, step, width);
    place = __lathe_shuffle_i32(all, value, place, width);
  }
  slots[item] = sum + value;
  __lathe_subgroup_barrier(all);
  const unsigned other = slots[item ^ 1];
  const unsigned last = __lathe_shuffle_xor_i32(all, other, 2, width);
  slots[item ^ 3] = __lathe_shuffle_xor_i32(all, last + mixed, 4, width);
  __lathe_subgroup_barrier(all);
  unsigned* const row = out + 4 * i;
  row[0] = mixed;
  row[1] = sum;
  row[2] = place;
  row[3] = slots[item];
}
