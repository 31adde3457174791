// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stable sorts of a block's items by the bits of their keys, all or those from one to another, which are numbers or
// structures of which a functor gives the members.
#ifndef LATHE_ROCPRIM_BLOCK_RADIX_SORT_H
#define LATHE_ROCPRIM_BLOCK_RADIX_SORT_H

#include <rocprim/block/block_radix_rank.hpp>

namespace rocprim {

template <class K, unsigned X, unsigned Items, class V = empty_type, unsigned Y = 1, unsigned Z = 1,
          unsigned RadixBits = 4, auto...>
class block_radix_sort {
  LATHE_ROCPRIM_COLLECTIVE(BlockRadixSort<K, X, Items, typename detail::StoredValue<V>::type, RadixBits, true,
                                          hipcub::BLOCK_SCAN_WARP_SCANS, 0, Y, Z>)
#define LATHE_ROCPRIM_SORT(name, method)                                                                              \
  LATHE_INLINE void name(K(&keys)[Items], storage_type& storage, unsigned first = 0, unsigned last = 8 * sizeof(K)) { \
    Collective(storage).method(keys, static_cast<int>(first), static_cast<int>(last));                                \
  }                                                                                                                   \
  LATHE_INLINE void name(K(&keys)[Items], V(&values)[Items], storage_type& storage, unsigned first = 0,               \
                         unsigned last = 8 * sizeof(K)) {                                                             \
    Collective(storage).method(keys, values, static_cast<int>(first), static_cast<int>(last));                        \
  }                                                                                                                   \
  LATHE_INLINE void name(K(&keys)[Items], unsigned first = 0, unsigned last = 8 * sizeof(K)) {                        \
    name(keys, own(), first, last);                                                                                   \
  }                                                                                                                   \
  LATHE_INLINE void name(K(&keys)[Items], V(&values)[Items], unsigned first = 0, unsigned last = 8 * sizeof(K)) {     \
    name(keys, values, own(), first, last);                                                                           \
  }                                                                                                                   \
  template <class Decomposer>                                                                                         \
  LATHE_INLINE void name(K(&keys)[Items], storage_type& storage, unsigned first, unsigned last, Decomposer members) { \
    Collective(storage).method(keys, members, static_cast<int>(first), static_cast<int>(last));                       \
  }                                                                                                                   \
  template <class Decomposer>                                                                                         \
  LATHE_INLINE void name(K(&keys)[Items], V(&values)[Items], storage_type& storage, unsigned first, unsigned last,    \
                         Decomposer members) {                                                                        \
    Collective(storage).method(keys, values, members, static_cast<int>(first), static_cast<int>(last));               \
  }                                                                                                                   \
  template <class Decomposer>                                                                                         \
  LATHE_INLINE void name(K(&keys)[Items], unsigned first, unsigned last, Decomposer members) {                        \
    name(keys, own(), first, last, members);                                                                          \
  }                                                                                                                   \
  template <class Decomposer>                                                                                         \
  LATHE_INLINE void name(K(&keys)[Items], V(&values)[Items], unsigned first, unsigned last, Decomposer members) {     \
    name(keys, values, own(), first, last, members);                                                                  \
  }
  LATHE_ROCPRIM_SORT(sort, Sort)
  LATHE_ROCPRIM_SORT(sort_desc, SortDescending)
  LATHE_ROCPRIM_SORT(sort_to_striped, SortBlockedToStriped)
  LATHE_ROCPRIM_SORT(sort_desc_to_striped, SortDescendingBlockedToStriped)
#undef LATHE_ROCPRIM_SORT
};

}  // namespace rocprim

#endif
