// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of a block's items: each thread's side by side (blocked), a block apart (striped) or a warp apart
// (warp-striped). Items from `valid` on stay as they are, or become a value given.
#ifndef LATHE_CUB_BLOCK_LOAD_H
#define LATHE_CUB_BLOCK_LOAD_H

#include <cub/detail/storage.cuh>
#include <cub/thread/thread_load.cuh>

namespace LATHE_CUB {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

namespace detail {
LATHE_INLINE int placeInWarps(int thread, int items, int i) {
  return thread / LATHE_CUB_WARP * LATHE_CUB_WARP * items + thread % LATHE_CUB_WARP + i * LATHE_CUB_WARP;
}
/// Bytes by which CUB lets vectorized accesses assume alignment.
template <class T, int Items>
constexpr int vectorBytes = [] {
  const int bytes = static_cast<int>(sizeof(T)) * (Items % 4 == 0 ? 4 : Items % 2 == 0 ? 2 : 1);
  return (bytes & (bytes - 1)) != 0 ? static_cast<int>(alignof(T)) : bytes < 16 ? bytes : 16;
}();
}  // namespace detail

#define LATHE_CUB_LOADS(name, parameters, place)                                                \
  template <parameters class T, int Items, class In>                                            \
  LATHE_INLINE void name(int thread, In from, T(&items)[Items]) {                               \
    for (int i = 0; i < Items; ++i) items[i] = from[place];                                     \
  }                                                                                             \
  template <parameters class T, int Items, class In>                                            \
  LATHE_INLINE void name(int thread, In from, T(&items)[Items], int valid) {                    \
    for (int i = 0; i < Items; ++i)                                                             \
      if (place < valid) items[i] = from[place];                                                \
  }                                                                                             \
  template <parameters class T, class Default, int Items, class In>                             \
  LATHE_INLINE void name(int thread, In from, T(&items)[Items], int valid, Default otherwise) { \
    for (int i = 0; i < Items; ++i) {                                                           \
      items[i] = otherwise;                                                                     \
      if (place < valid) items[i] = from[place];                                                \
    }                                                                                           \
  }
#define LATHE_CUB_THREADS int Threads,
LATHE_CUB_LOADS(LoadDirectBlocked, , thread* Items + i)
LATHE_CUB_LOADS(LoadDirectStriped, LATHE_CUB_THREADS, thread + i * Threads)
LATHE_CUB_LOADS(LoadDirectWarpStriped, , detail::placeInWarps(thread, Items, i))
#undef LATHE_CUB_THREADS
#undef LATHE_CUB_LOADS
template <class T, int Items>
LATHE_INLINE void LoadDirectBlockedVectorized(int thread, T* from, T (&items)[Items]) {
  LoadDirectBlocked(thread, static_cast<T*>(__builtin_assume_aligned(from, detail::vectorBytes<T, Items>)), items);
}

template <class T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad {
  struct Storage : detail::Nothing {};
  LATHE_CUB_STORAGE(BlockLoad)

 public:
  /// Nothing, the number of valid items, or that and a value for the others.
  template <class In, class... Valid>
  LATHE_INLINE void Load(In from, T (&items)[Items], Valid... valid) {
    if constexpr (Algorithm == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<X * Y * Z>(thread_, from, items, valid...);
    else
      LoadDirectBlocked(thread_, from, items, valid...);
  }
};

}  // namespace LATHE_CUB

#endif
