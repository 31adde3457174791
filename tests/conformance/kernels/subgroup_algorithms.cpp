// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What <lathe/device/subgroup.h> makes of shuffles and votes: values of any size, matches, reductions and scans, for
// whole subgroups, for the last one of a group, which may be narrower, and for some of the items.
#include <lathe/device.h>

template <unsigned Bytes>
struct block {
  unsigned char bytes[Bytes];
};

/// Four kinds of shuffle, of values that are no words.
template <unsigned Bytes>
LATHE_KERNEL void shuffles_of(const block<Bytes>* in, block<Bytes>* out) {
  const unsigned i = lathe::global_id().x;
  const auto all = lathe::subgroup();
  out[4 * i] = all.shuffle(in[i], all.id() * 3, all.size() < 16 ? all.size() : 16);
  out[4 * i + 1] = all.shuffle_up(in[i], 2);
  out[4 * i + 2] = all.shuffle_down(in[i], 3);
  out[4 * i + 3] = all.shuffle_xor(in[i], 5);
}

/// Rotations of whole subgroups and of segments, of words and of what is no word.
LATHE_KERNEL void rotations(const unsigned* in, unsigned long* out) {
  const unsigned i = lathe::global_id().x;
  const auto all = lathe::subgroup();
  out[4 * i] = all.rotate(in[i], 5);
  out[4 * i + 1] = all.rotate(in[i], 13, 8);
  out[4 * i + 2] = all.rotate(in[i] * 0x100000001ul, all.size() - 1);
  out[4 * i + 3] = all.rotate(static_cast<unsigned char>(in[i]), 0);
}

LATHE_INLINE void find(lathe::subgroup_t items, unsigned value, unsigned long* row) {
  row[0] = items.ballot(value & 1);
  row[1] = items.any(value & 2);
  row[2] = items.all(value & 4);
  row[3] = items.match_any(value & 3);
  row[4] = items.match_any((value & 3) * 0x100000001ul);
  row[5] = items.match_any(static_cast<unsigned char>(value >> 4 & 1));
  row[6] = items.match_all(value & 3);
  row[7] = items.match_all(1.5 * (value & 4));
}

/// Applied one after the other, maps x → a x + b are one such map: associative, not commutative.
struct affine {
  unsigned a, b;
};
struct then {
  LATHE_INLINE affine operator()(affine f, affine g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};

LATHE_INLINE void fold(lathe::subgroup_t items, unsigned value, unsigned* row) {
  const int number = static_cast<int>(value);
  row[0] = items.reduce(value);
  row[1] = static_cast<unsigned>(items.reduce(number, lathe::minimum{}));
  row[2] = static_cast<unsigned>(items.reduce(number, lathe::maximum{}));
  row[3] = items.reduce(value, lathe::minimum{});
  row[4] = items.reduce(value, lathe::maximum{});
  row[5] = items.reduce(value | 0x55aa, lathe::bit_and{});
  row[6] = items.reduce(value & 0x1248, lathe::bit_or{});
  row[7] = items.reduce(value, lathe::bit_xor{});
}
LATHE_INLINE void fold_others(lathe::subgroup_t items, unsigned value, unsigned* row) {
  row[0] = static_cast<unsigned>(items.reduce(static_cast<float>(value & 1023)));
  row[1] = static_cast<unsigned>(items.reduce(static_cast<unsigned long>(value) << 30, lathe::maximum{}) >> 30);
}
LATHE_INLINE void scan(lathe::subgroup_t items, unsigned value, unsigned* row) {
  const int number = static_cast<int>(value);
  row[0] = items.inclusive_scan(value);
  row[1] = static_cast<unsigned>(items.inclusive_scan(number, lathe::maximum{}));
  row[2] = items.exclusive_scan(value, 7u);
  row[3] = static_cast<unsigned>(items.exclusive_scan(static_cast<double>(value & 1023)));
  const affine maps = items.inclusive_scan(affine{value | 1, value >> 7}, then{});
  row[4] = maps.a;
  row[5] = maps.b;
}

/// For all items of a subgroup, and for two of three while the third is elsewhere.
#define ALL_AND_SOME(name, type, columns)                                   \
  LATHE_KERNEL void name##_all(const unsigned* in, type* out) {             \
    const unsigned i = lathe::global_id().x;                                \
    name(lathe::subgroup(), in[i], out + columns * i);                      \
  }                                                                         \
  LATHE_KERNEL void name##_some(const unsigned* in, type* out) {            \
    const unsigned i = lathe::global_id().x;                                \
    const bool takes_part = lathe::subgroup_t::id() % 3 != 0;               \
    const unsigned long items = lathe::subgroup().ballot(takes_part);       \
    if (takes_part) name(lathe::subgroup(items), in[i], out + columns * i); \
  }
ALL_AND_SOME(find, unsigned long, 8)
ALL_AND_SOME(fold, unsigned, 8)
ALL_AND_SOME(fold_others, unsigned, 2)
ALL_AND_SOME(scan, unsigned, 6)

/// Items that are here together are part of what active_subgroup() says, and may take its turns one by one.
LATHE_KERNEL void active(const unsigned* in, unsigned* out) {
  const unsigned i = lathe::global_id().x;
  const auto here = lathe::active_subgroup();
  lathe::sleep(20);
  out[i] = in[i] + static_cast<unsigned>(here.mask >> here.id() & 1);
}
