// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stable sorts of a block's items by a comparison.
#ifndef LATHE_CUB_BLOCK_MERGE_SORT_H
#define LATHE_CUB_BLOCK_MERGE_SORT_H

#include <cub/detail/merge_sort.cuh>

namespace LATHE_CUB {

template <class K, int X, int Items, class V = NullType, int Y = 1, int Z = 1, auto...>
class BlockMergeSort {
  static constexpr int Threads = X * Y * Z;
  using Storage = detail::MergeSortStorage<K, V, Threads, Items>;
  LATHE_CUB_STORAGE(BlockMergeSort)
  template <class Values, class Compare>
  LATHE_INLINE void sort(K (&keys)[Items], Values (&values)[Items], Compare below, int valid) {
    detail::mergeSort<Threads>(storage_, thread_, keys, values, below, valid, [] { __syncthreads(); });
  }

 public:
  LATHE_CUB_MERGE_SORTS(Sort)
  LATHE_CUB_MERGE_SORTS(StableSort)
  LATHE_INLINE unsigned get_linear_tid() const { return static_cast<unsigned>(thread_); }
};

}  // namespace LATHE_CUB

#endif
