// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores of a logical warp's items, the counterpart of warp_load.cuh.
#ifndef LATHE_CUB_WARP_STORE_H
#define LATHE_CUB_WARP_STORE_H

#include <cub/block/block_store.cuh>
#include <cub/detail/lanes.cuh>

namespace LATHE_CUB {

enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };

template <class T, int Items, WarpStoreAlgorithm Algorithm = WARP_STORE_DIRECT, int Width = LATHE_CUB_WARP, int = 0>
class WarpStore {
  struct Storage : detail::Nothing {};
  LATHE_CUB_STORAGE(WarpStore)

 public:
  template <class Out, class... Valid>
  LATHE_INLINE void Store(Out to, const T (&items)[Items], Valid... valid) {
    const int lane = detail::Lanes<Width>(thread_, detail::threadsOfBlock()).lane;
    if constexpr (Algorithm == WARP_STORE_STRIPED)
      StoreDirectStriped<Width>(lane, to, items, valid...);
    else
      StoreDirectBlocked(lane, to, items, valid...);
  }
};

}  // namespace LATHE_CUB

#endif
