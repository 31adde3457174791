// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's words for the items of items.h, so that a reference can be the kernel file itself, compiled for the host.
// Include it in one file, before the kernels, in a namespace of its own.
#pragma once

#include <bit>

#include "tests/conformance/suite/items.h"

#define __global__ static
#define __device__ static
#define __shared__ static
#define threadIdx (lathe::conformance::position().item)
#define blockIdx (lathe::conformance::position().group)
#define blockDim (lathe::conformance::position().size)
#define gridDim (lathe::conformance::position().count)

namespace lathe::conformance {

enum WarpFunction { syncWarp, shuffle, vote };

inline unsigned laneOfItem() {
  return position().linear % warpItems;
}
inline void __syncthreads() {
  meetGroup();
}
inline int __syncthreads_count(int predicate) {
  return static_cast<int>(meetGroup(predicate != 0).votes);
}
inline int __syncthreads_or(int predicate) {
  return meetGroup(predicate != 0).votes != 0;
}
inline int __syncthreads_and(int predicate) {
  const Count count = meetGroup(predicate != 0);
  return count.votes == count.items;
}
inline void __syncwarp(unsigned mask) {
  (void)meetSubgroup(mask, 0, syncWarp);
}
/// Who is here together is for the machine to say; here everybody is alone.
inline unsigned __activemask() {
  return 1U << laneOfItem();
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
  const Meeting met = meetSubgroup(mask, predicate != 0, vote);
  unsigned out = 0;
  for (unsigned lane = 0; lane < warpItems; ++lane) out |= (met.items >> lane & 1 & met.values[lane]) << lane;
  return out;
}
inline int __any_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
inline int __all_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate == 0) == 0;
}
inline unsigned __shfl_sync(unsigned mask, unsigned value, unsigned lane, unsigned width = warpItems) {
  const Meeting met = meetSubgroup(mask, value, shuffle);
  return met.values[laneOfItem() / width * width + lane % width];
}
inline unsigned __shfl_up_sync(unsigned mask, unsigned value, unsigned delta, unsigned width = warpItems) {
  const Meeting met = meetSubgroup(mask, value, shuffle);
  return laneOfItem() % width < delta ? value : met.values[laneOfItem() - delta];
}
inline unsigned __shfl_down_sync(unsigned mask, unsigned value, unsigned delta, unsigned width = warpItems) {
  const Meeting met = meetSubgroup(mask, value, shuffle);
  return laneOfItem() % width + delta >= width ? value : met.values[laneOfItem() + delta];
}
inline unsigned __shfl_xor_sync(unsigned mask, unsigned value, unsigned bits, unsigned width = warpItems) {
  const Meeting met = meetSubgroup(mask, value, shuffle);
  const unsigned from = laneOfItem() ^ bits;
  return from >= (laneOfItem() / width + 1) * width ? value : met.values[from];
}
inline unsigned __match_any_sync(unsigned mask, unsigned value) {
  const Meeting met = meetSubgroup(mask, value, vote);
  unsigned out = 0;
  for (unsigned lane = 0; lane < warpItems; ++lane)
    if (met.items >> lane & 1 && met.values[lane] == value) out |= 1U << lane;
  return out;
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  const Meeting met = meetSubgroup(mask, value, vote);
  unsigned out = 0;
  for (unsigned lane = 0; lane < warpItems; ++lane) out += (met.items >> lane & 1) * met.values[lane];
  return out;
}
inline int __popc(unsigned x) {
  return std::popcount(x);
}
inline int __ffs(unsigned x) {
  return x ? std::countr_zero(x) + 1 : 0;
}
template <class T>
T atomicAdd(T* place, T value) {
  const T old = *place;
  *place += value;
  return old;
}

}  // namespace lathe::conformance
