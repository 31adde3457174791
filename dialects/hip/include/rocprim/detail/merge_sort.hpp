// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stable merge sort of CUB's, with rocPRIM's values or none.
#ifndef LATHE_ROCPRIM_MERGE_SORT_H
#define LATHE_ROCPRIM_MERGE_SORT_H

#include <rocprim/detail/collective.hpp>

namespace rocprim::detail {

/// Sorts the first `size` of a group's items; `sync` waits for its threads. Values are an array, or null.
template <unsigned Threads, class K, unsigned Items, class Values, class Storage, class Op, class Sync>
LATHE_INLINE void mergeSorted(K (&keys)[Items], Values& values, Storage& storage, unsigned thread, unsigned size, Op op,
                              Sync sync) {
  const int place = static_cast<int>(thread), valid = static_cast<int>(size);
  if constexpr (__is_array(Values)) {
    hipcub::detail::mergeSort<static_cast<int>(Threads)>(storage, place, keys, values, op, valid, sync);
  } else {
    hipcub::NullType none[Items];
    hipcub::detail::mergeSort<static_cast<int>(Threads)>(storage, place, keys, none, op, valid, sync);
  }
}

}  // namespace rocprim::detail

// Forms of a class's sort(): of `Items` keys of `K` or one, with values of `V` or none, of all items of the group or of
// its first `size`; the others stay where they are. The class has `all`, and `sorted`, which takes no more than there are.
#define LATHE_ROCPRIM_MERGE_SORT_OF(keys, values, ...)                                      \
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
    sorted(keys, values, storage, size, op);                                                \
  }
#define LATHE_ROCPRIM_MERGE_SORTS                                                             \
  LATHE_ROCPRIM_MERGE_SORT_OF(detail::arrayOf(key), nullptr, K& key)                          \
  LATHE_ROCPRIM_MERGE_SORT_OF(keys, nullptr, K(&keys)[Items])                                 \
  LATHE_ROCPRIM_MERGE_SORT_OF(detail::arrayOf(key), detail::arrayOf(value), K& key, V& value) \
  LATHE_ROCPRIM_MERGE_SORT_OF(keys, values, K(&keys)[Items], V(&values)[Items])

#endif
