// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores of a block's items, the counterpart of block_load.cuh.
#ifndef LATHE_CUB_BLOCK_STORE_H
#define LATHE_CUB_BLOCK_STORE_H

#include <cub/block/block_load.cuh>
#include <cub/thread/thread_store.cuh>

namespace LATHE_CUB {

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

#define LATHE_CUB_STORES(name, parameters, place)                                 \
  template <parameters class T, int Items, class Out>                             \
  LATHE_INLINE void name(int thread, Out to, const T(&items)[Items]) {            \
    for (int i = 0; i < Items; ++i) to[place] = items[i];                         \
  }                                                                               \
  template <parameters class T, int Items, class Out>                             \
  LATHE_INLINE void name(int thread, Out to, const T(&items)[Items], int valid) { \
    for (int i = 0; i < Items; ++i)                                               \
      if (place < valid) to[place] = items[i];                                    \
  }
#define LATHE_CUB_THREADS int Threads,
LATHE_CUB_STORES(StoreDirectBlocked, , thread* Items + i)
LATHE_CUB_STORES(StoreDirectStriped, LATHE_CUB_THREADS, thread + i * Threads)
LATHE_CUB_STORES(StoreDirectWarpStriped, , detail::placeInWarps(thread, Items, i))
#undef LATHE_CUB_THREADS
#undef LATHE_CUB_STORES
template <class T, int Items>
LATHE_INLINE void StoreDirectBlockedVectorized(int thread, T* to, const T (&items)[Items]) {
  StoreDirectBlocked(thread, static_cast<T*>(__builtin_assume_aligned(to, detail::vectorBytes<T, Items>)), items);
}

template <class T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore {
  struct Storage : detail::Nothing {};
  LATHE_CUB_STORAGE(BlockStore)

 public:
  template <class Out, class... Valid>
  LATHE_INLINE void Store(Out to, const T (&items)[Items], Valid... valid) {
    if constexpr (Algorithm == BLOCK_STORE_STRIPED)
      StoreDirectStriped<X * Y * Z>(thread_, to, items, valid...);
    else
      StoreDirectBlocked(thread_, to, items, valid...);
  }
};

}  // namespace LATHE_CUB

#endif
