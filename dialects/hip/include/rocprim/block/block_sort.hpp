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
  // Of all items, or of the first `size`; the others stay where they are.
#define LATHE_ROCPRIM_SORTS(keys, values, ...)                                              \
  template <detail::BinaryOf<K> Op = less<K>>                                               \
  LATHE_INLINE void sort(__VA_ARGS__, Op op = Op()) {                                       \
    sorted(keys, values, own(), all, op);                                                   \
  }                                                                                         \
  template <detail::BinaryOf<K> Op = less<K>>                                               \
  LATHE_INLINE void sort(__VA_ARGS__, storage_type& storage, Op op = Op()) {                \
    sorted(keys, values, storage, all, op);                                                 \
  }                                                                                         \
  template <detail::BinaryOf<K> Op = less<K>>                                               \
  LATHE_INLINE void sort(__VA_ARGS__, storage_type& storage, unsigned size, Op op = Op()) { \
    sorted(keys, values, storage, size < all ? size : all, op);                             \
  }
  LATHE_ROCPRIM_SORTS(detail::arrayOf(key), nullptr, K& key)
  LATHE_ROCPRIM_SORTS(keys, nullptr, K (&keys)[Items])
  LATHE_ROCPRIM_SORTS(detail::arrayOf(key), detail::arrayOf(value), K& key, V& value)
  LATHE_ROCPRIM_SORTS(keys, values, K (&keys)[Items], V (&values)[Items])
#undef LATHE_ROCPRIM_SORTS

 private:
  template <class Values, class Op>
  LATHE_INLINE static void sorted(K (&keys)[Items], Values&& values, storage_type& storage, unsigned size, Op op) {
    detail::mergeSorted<threads>(keys, values, storage, flat_block_thread_id(), size, op, [] { __syncthreads(); });
  }
};

}  // namespace rocprim

#endif
