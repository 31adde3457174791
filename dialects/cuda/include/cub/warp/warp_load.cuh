// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of a logical warp's items, side by side in each lane but for striped loads.
#ifndef LATHE_CUB_WARP_LOAD_H
#define LATHE_CUB_WARP_LOAD_H

#include <cub/block/block_load.cuh>
#include <cub/detail/lanes.cuh>

namespace LATHE_CUB {

enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };

template <class T, int Items, WarpLoadAlgorithm Algorithm = WARP_LOAD_DIRECT, int Width = LATHE_CUB_WARP, int = 0>
class WarpLoad {
  struct Storage : detail::Nothing {};
  LATHE_CUB_STORAGE(WarpLoad)

 public:
  template <class In, class... Valid>
  LATHE_INLINE void Load(In from, T (&items)[Items], Valid... valid) {
    const int lane = detail::Lanes<Width>(thread_, detail::threadsOfBlock()).lane;
    if constexpr (Algorithm == WARP_LOAD_STRIPED)
      LoadDirectStriped<Width>(lane, from, items, valid...);
    else
      LoadDirectBlocked(lane, from, items, valid...);
  }
};

}  // namespace LATHE_CUB

#endif
