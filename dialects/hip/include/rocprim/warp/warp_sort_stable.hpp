// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stable sorts of a logical warp's items, blocked, by a comparison. The storage is of all warps of the block.
#ifndef LATHE_ROCPRIM_WARP_SORT_STABLE_H
#define LATHE_ROCPRIM_WARP_SORT_STABLE_H

#include <rocprim/detail/merge_sort.hpp>

namespace rocprim {

enum class warp_sort_stable_algorithm { merge_path, shuffle };

template <class K, unsigned Threads, unsigned Width = HIPCUB_WARP_THREADS, unsigned Items = 1, class V = empty_type,
          warp_sort_stable_algorithm = warp_sort_stable_algorithm::merge_path>
class warp_sort_stable {
  static_assert((Width & (Width - 1)) == 0, "a sort's logical warps have a power of two threads");
  static constexpr unsigned all = Width * Items;
  struct Storage {
    hipcub::detail::MergeSortStorage<K, typename detail::StoredValue<V>::type, static_cast<int>(Width),
                                     static_cast<int>(Items)>
        warps[(Threads + Width - 1) / Width];
  };
  LATHE_ROCPRIM_STORAGE(Storage)
  LATHE_ROCPRIM_MERGE_SORTS

 private:
  template <class Values, class Op>
  LATHE_INLINE static void sorted(K (&keys)[Items], Values&& values, Storage& storage, unsigned size, Op op) {
    const unsigned thread = flat_block_thread_id();
    const hipcub::detail::Lanes<Width> group(static_cast<int>(thread), hipcub::detail::threadsOfBlock());
    const unsigned most = static_cast<unsigned>(group.count) * Items;
    detail::mergeSorted<Width>(keys, values, storage.warps[thread / Width], static_cast<unsigned>(group.lane),
                               size < most ? size : most, op, [&] { group.sync(); });
  }
};

}  // namespace rocprim

#endif
