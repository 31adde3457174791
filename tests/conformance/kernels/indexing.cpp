// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an item is: all twelve indices, each in a column of its own, and what the language makes of them.
#include <lathe/device.h>

LATHE_KERNEL void indices(unsigned* out) {
  const lathe::uint3 item = lathe::item_id(), group = lathe::group_id();
  const lathe::uint3 size = lathe::group_size(), count = lathe::group_count();
  const unsigned linear_group = (group.z * count.y + group.y) * count.x + group.x;
  unsigned* const row = out + 12 * (linear_group * lathe::linear_group_size() + lathe::linear_item_id());
  row[0] = item.x;
  row[1] = item.y;
  row[2] = item.z;
  row[3] = group.x;
  row[4] = group.y;
  row[5] = group.z;
  row[6] = size.x;
  row[7] = size.y;
  row[8] = size.z;
  row[9] = count.x;
  row[10] = count.y;
  row[11] = count.z;
}

/// One number an item, at the place that the global indices say.
LATHE_KERNEL void places(unsigned* out) {
  const lathe::uint3 at = lathe::item().global_id(), extent = lathe::global_size();
  out[(at.z * extent.y + at.y) * extent.x + at.x] = lathe::item().linear_id() + 1000 * lathe::group().linear_size();
}

/// Sizes that only the launch knows.
LATHE_KERNEL void launch_sized(unsigned* out) {
  unsigned* const memory = lathe::dynamic_shared<unsigned>();
  const unsigned n = __lathe_dynamic_shared_bytes() / sizeof(unsigned), i = lathe::item_id().x;
  for (unsigned k = i; k < n; k += lathe::group_size().x) memory[k] = k + lathe::group_id().x;
  lathe::barrier();
  for (unsigned k = i; k < n; k += lathe::group_size().x) out[lathe::group_id().x * n + k] = memory[n - 1 - k];
}

/// Elements by the low bits of an index, while another index counts on.
LATHE_KERNEL void low_bits(const int* table, int* out, unsigned first) {
  const unsigned i = lathe::item_id().x;
  out[first + i] = table[i & 3];
}

/// The same in a loop of each item.
LATHE_KERNEL void low_bits_of_bytes(const signed char* __restrict__ table, signed char* __restrict__ out,
                                    unsigned first, unsigned n) {
#pragma unroll 1
  for (unsigned k = 0; k < n; ++k) out[k + first] = table[k & 3];
}

/// Iterations that all items count alike; where there are none, all turn away in front of them.
LATHE_KERNEL void counted_alike(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned item = lathe::item_id().x, i = lathe::group_id().x * 64 + item;
  unsigned table[4] = {1, 2, 3, 4}, a = in[item], b = in[item + 1];
  lathe::barrier();
  table[table[b & 3] & 3] = 0;
  for (unsigned k = 0; k < n; ++k) a += table[a & 3];
  for (int k = 0; k < 4; ++k) a = a * 31 + table[k];
  out[i] = a;
}

struct Words {
  unsigned h[4];
};

/// A structure's words around one that is written by an index of its own.
LATHE_KERNEL void words_in_order(Words* rows, const unsigned* which, unsigned* out) {
  const unsigned i = lathe::item_id().x;
  const unsigned before = rows[i].h[0] + rows[i].h[1];
  rows[i].h[which[i] & 3] = 100;
  out[i] = before + rows[i].h[3];
}

/// What is left of the addresses of local arrays when their alignments are taken out, and what is in the arrays.
template <unsigned Alignment>
LATHE_INLINE unsigned in_aligned(const unsigned* in, unsigned at) {
  alignas(Alignment) unsigned row[40];
  for (unsigned k = 0; k < 40; ++k) row[k] = in[k] + at;
  row[at % 40] += 1000;
  return static_cast<unsigned>(reinterpret_cast<unsigned long>(row) % Alignment) * 100000 + row[in[at] % 40];
}
LATHE_KERNEL void aligned_rows(const unsigned* in, unsigned* out) {
  const unsigned i = lathe::item_id().x;
  out[4 * i] = in_aligned<64>(in, i);
  out[4 * i + 1] = in_aligned<128>(in, i);
  out[4 * i + 2] = in_aligned<256>(in, i);
  out[4 * i + 3] = in_aligned<512>(in, i);
}

/// A row's largest word comes to its front.
LATHE_KERNEL void largest_first(const unsigned* in, unsigned* rows) {
  const unsigned i = lathe::item_id().x;
  unsigned* const row = rows + 3 * i;
  row[0] = in[i] * 7 % 5;
  row[1] = in[i] * 3 % 5;
  row[2] = in[i] % 5;
  unsigned largest = 0;
  for (unsigned k = 1; k < 3; ++k)
    if (row[k] > row[largest]) largest = k;
  const unsigned first = row[0];
  row[0] = row[largest];
  row[largest] = first;
}
