// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stable sorts of a logical warp's items by a comparison.
#ifndef LATHE_CUB_WARP_MERGE_SORT_H
#define LATHE_CUB_WARP_MERGE_SORT_H

#include <cub/detail/lanes.cuh>
#include <cub/detail/merge_sort.cuh>

namespace LATHE_CUB {

template <class K, int Items, int Threads = LATHE_CUB_WARP, class V = NullType, int = 0>
class WarpMergeSort {
  static_assert((Threads & (Threads - 1)) == 0, "a sort's logical warps have a power of two threads");
  using Storage = detail::MergeSortStorage<K, V, Threads, Items>;
  LATHE_CUB_STORAGE(WarpMergeSort)
  template <class Values, class Compare>
  LATHE_INLINE void sort(K (&keys)[Items], Values (&values)[Items], Compare below, int valid) {
    const detail::Lanes<Threads> group(thread_, detail::threadsOfBlock());
    detail::mergeSort<Threads>(storage_, group.lane, keys, values, below, valid, [&] { group.sync(); });
  }

 public:
  LATHE_CUB_MERGE_SORTS(Sort)
  LATHE_CUB_MERGE_SORTS(StableSort)
  LATHE_INLINE unsigned get_linear_tid() const { return static_cast<unsigned>(thread_ % Threads); }
  LATHE_INLINE detail::WarpMask get_member_mask() const {
    return detail::Lanes<Threads>(thread_, detail::threadsOfBlock()).mask;
  }
};

}  // namespace LATHE_CUB

#endif
