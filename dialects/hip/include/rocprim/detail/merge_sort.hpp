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

#endif
