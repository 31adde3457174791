// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's functions of a thread: its lane, its place, shuffles in logical warps, bit fields.
#ifndef LATHE_CUB_UTIL_PTX_H
#define LATHE_CUB_UTIL_PTX_H

#include <cub/detail/lanes.cuh>

namespace LATHE_CUB {

LATHE_INLINE unsigned LaneId() {
  return lathe::detail::laneOfWarp();
}
LATHE_INLINE int RowMajorTid(int sizeX, int sizeY, int) {
  return static_cast<int>((threadIdx.z * sizeY + threadIdx.y) * sizeX + threadIdx.x);
}
/// The warp's place in its block, if warps are full rows of threads.
LATHE_INLINE unsigned WarpId() {
  return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / LATHE_CUB_WARP;
}
LATHE_INLINE unsigned LaneMaskLt() {
  return (1u << LaneId()) - 1;
}
LATHE_INLINE unsigned LaneMaskLe() {
  return (2u << LaneId()) - 1;
}
LATHE_INLINE unsigned LaneMaskGt() {
  return ~LaneMaskLe();
}
LATHE_INLINE unsigned LaneMaskGe() {
  return ~LaneMaskLt();
}
/// The lanes of logical warp number `warp`; of those whose size is no power of two a warp has one.
template <int Width>
LATHE_CUDA_BOTH detail::WarpMask WarpMask(unsigned warp) {
  constexpr int bits = 8 * sizeof(detail::WarpMask);
  const detail::WarpMask lowest = Width >= bits ? ~detail::WarpMask{} : (detail::WarpMask{1} << (Width % bits)) - 1;
  return Width < bits && (Width & (Width - 1)) == 0 ? lowest << warp * Width : lowest;
}

// Lanes count from the logical warp's first. A thread without such a lane keeps its value.
template <int Width, class T>
LATHE_INLINE T ShuffleUp(T value, int distance, int first, detail::WarpMask mask) {
  const int lane = static_cast<int>(LaneId()) % Width;
  const T other = detail::moved(value, [=](unsigned word) { return __shfl_up_sync(mask, word, distance, Width); });
  return lane - distance >= first ? other : value;
}
template <int Width, class T>
LATHE_INLINE T ShuffleDown(T value, int distance, int last, detail::WarpMask mask) {
  const int lane = static_cast<int>(LaneId()) % Width;
  const T other = detail::moved(value, [=](unsigned word) { return __shfl_down_sync(mask, word, distance, Width); });
  return lane + distance <= last ? other : value;
}
template <int Width, class T>
LATHE_INLINE T ShuffleIndex(T value, int lane, detail::WarpMask mask) {
  return detail::moved(value, [=](unsigned word) { return __shfl_sync(mask, word, lane, Width); });
}

/// The lanes whose labels are the same in their lowest `Bits` bits.
template <int Bits>
LATHE_INLINE detail::WarpMask MatchAny(unsigned label) {
  detail::WarpMask same = ~detail::WarpMask{};
  for (int bit = 0; bit < Bits; ++bit) {
    const bool set = label >> bit & 1;
    const detail::WarpMask voted = __ballot_sync(lathe::detail::wholeWarp, set);
    same &= set ? voted : ~voted;
  }
  return same;
}

template <class Bits>
LATHE_CUDA_BOTH constexpr unsigned BFE(Bits source, unsigned first, unsigned count) {
  return static_cast<unsigned>(source >> first & ((Bits(1) << count) - 1));
}
LATHE_INLINE void ThreadExit() {
  __trap();
}

}  // namespace LATHE_CUB

#endif
