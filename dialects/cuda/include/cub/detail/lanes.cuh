// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of threads of one warp: values that travel by shuffles, reductions and scans of a group. CUB's logical warps
// begin at multiples of their width in the warp; a width that is no power of two leaves the last of them shorter.
#ifndef LATHE_CUB_LANES_H
#define LATHE_CUB_LANES_H

#include <cub/config.cuh>

namespace LATHE_CUB {
namespace detail {

using lathe::detail::countOf;
using lathe::detail::WarpMask;

/// A value of another lane, of any size: word by word.
template <class T, class Move>
LATHE_INLINE T moved(const T& value, Move move) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned& word : words) word = move(word);
  T out = value;
  __builtin_memcpy(&out, words, sizeof(T));
  return out;
}

/// The calling thread's group of Width lanes.
template <int Width>
struct Lanes {
  /// Shuffles know widths that are powers of two; other groups name lanes of the warp.
  static constexpr bool aligned = (Width & (Width - 1)) == 0;
  int lane;       ///< the thread's place in the group
  int count;      ///< threads of the group that the block has at all
  int first;      ///< the group's first lane in the warp
  WarpMask mask;  ///< these threads, in the warp

  LATHE_INLINE Lanes(int thread, int threads) {
    if constexpr (aligned)
      lane = thread % Width;
    else
      lane = thread % LATHE_CUB_WARP % Width;
    const int begin = thread - lane;
    first = begin & (warpSize - 1);
    count = threads - begin < Width ? threads - begin : Width;
    if constexpr (!aligned) {
      const int left = LATHE_CUB_WARP - begin % LATHE_CUB_WARP;
      count = count < left ? count : left;
    }
    constexpr int bits = 8 * sizeof(WarpMask);
    mask = (count >= bits ? ~WarpMask{} : (WarpMask{1} << count) - 1) << first;
  }

  template <class T>
  LATHE_INLINE T fromLane(const T& value, int from) const {
    if constexpr (aligned)
      return moved(value, [&](unsigned word) { return __shfl_sync(mask, word, from, Width); });
    else
      return moved(value, [&](unsigned word) { return __shfl_sync(mask, word, first + from); });
  }
  /// The thread's own value where the group has no such lane.
  template <class T>
  LATHE_INLINE T fromBelow(const T& value, int distance) const {
    if constexpr (aligned)
      return moved(value, [&](unsigned word) { return __shfl_up_sync(mask, word, distance, Width); });
    else
      return fromLane(value, lane >= distance ? lane - distance : lane);
  }
  template <class T>
  LATHE_INLINE T fromAbove(const T& value, int distance) const {
    if constexpr (aligned)
      return moved(value, [&](unsigned word) { return __shfl_down_sync(mask, word, distance, Width); });
    else
      return fromLane(value, lane + distance < count ? lane + distance : lane);
  }
  /// Bit i is set where lane i's predicate holds.
  LATHE_INLINE WarpMask ballot(bool predicate) const {
    const WarpMask all = (__ballot_sync(mask, predicate) & mask) >> first;
    return all;
  }

  /// The values of lane to valid - 1 in order, for each lane; lane 0's is the group's. `valid` may differ by lanes.
  template <class T, class Op>
  LATHE_INLINE T reduce(T value, int valid, Op op) const {
    for (int distance = 1; distance < Width; distance *= 2) {
      const T other = fromAbove(value, distance);
      if (lane + distance < valid) value = op(value, other);
    }
    return value;
  }
  /// Those of lanes 0 to the caller's.
  template <class T, class Op>
  LATHE_INLINE T scan(T value, Op op, int valid = Width) const {
    for (int distance = 1; distance < Width; distance *= 2) {
      const T other = fromBelow(value, distance);
      if (lane >= distance && lane < valid) value = op(other, value);
    }
    return value;
  }
  /// One behind the caller's segment, where `ends` has a bit for each segment's last lane.
  LATHE_INLINE int endOfSegment(WarpMask ends) const {
    ends |= WarpMask{1} << (count - 1);
    return lathe::detail::firstOf(ends >> lane) + lane + 1;
  }
  LATHE_INLINE void sync() const { __syncwarp(mask); }
};

}  // namespace detail
}  // namespace LATHE_CUB

#endif
