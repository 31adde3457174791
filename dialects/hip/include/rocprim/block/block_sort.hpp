// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts of a block's items, blocked, by a comparison. All algorithms are the same stable merge sort.
#ifndef LATHE_ROCPRIM_BLOCK_SORT_H
#define LATHE_ROCPRIM_BLOCK_SORT_H

#include <rocprim/detail/merge_sort.hpp>

namespace rocprim {

enum class block_sort_algorithm { bitonic_sort, merge_sort, stable_merge_sort, default_algorithm = bitonic_sort };

template <class K, unsigned X, unsigned Items = 1, class V = empty_type,
          block_sort_algorithm = block_sort_algorithm::default_algorithm, unsigned Y = 1, unsigned Z = 1>
class block_sort {
  static constexpr unsigned threads = X * Y * Z, all = threads * Items;
  LATHE_ROCPRIM_STORAGE(hipcub::detail::MergeSortStorage<K, typename detail::StoredValue<V>::type,
                                                         static_cast<int>(threads), static_cast<int>(Items)>)
  LATHE_ROCPRIM_MERGE_SORTS

 private:
  template <class Values, class Op>
  LATHE_INLINE static void sorted(K (&keys)[Items], Values&& values, storage_type& storage, unsigned size, Op op) {
    detail::mergeSorted<threads>(keys, values, storage, flat_block_thread_id(), size < all ? size : all, op,
                                 [] { __syncthreads(); });
  }
};

}  // namespace rocprim

#endif
