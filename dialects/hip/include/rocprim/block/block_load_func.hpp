// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of a block's items: a thread's side by side (blocked), a block apart (striped) or a warp apart (warp-striped).
// Behind the items stand nothing, the number of valid ones, or that and a value for the others.
#ifndef LATHE_ROCPRIM_BLOCK_LOAD_FUNC_H
#define LATHE_ROCPRIM_BLOCK_LOAD_FUNC_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

namespace detail {
/// The place of a thread's item i among those that are Width apart in groups of Width threads.
template <unsigned Width>
LATHE_INLINE unsigned placeInWarp(unsigned thread, unsigned items, unsigned i) {
  return thread / Width * Width * items + thread % Width + i * Width;
}
}  // namespace detail

template <class In, class T, unsigned Items, class... Valid>
LATHE_INLINE void block_load_direct_blocked(unsigned thread, In from, T (&items)[Items], Valid... valid) {
  hipcub::LoadDirectBlocked(static_cast<int>(thread), from, items, valid...);
}
/// The pointer is a multiple of as many bytes as the items have, up to 16.
template <class T, class U, unsigned Items>
LATHE_INLINE void block_load_direct_blocked_vectorized(unsigned thread, T* from, U (&items)[Items]) {
  hipcub::LoadDirectBlocked(static_cast<int>(thread), from, items);
}
template <unsigned X, class In, class T, unsigned Items, class... Valid>
LATHE_INLINE void block_load_direct_striped(unsigned thread, In from, T (&items)[Items], Valid... valid) {
  hipcub::LoadDirectStriped<X>(static_cast<int>(thread), from, items, valid...);
}
template <unsigned Width = HIPCUB_WARP_THREADS, class In, class T, unsigned Items>
LATHE_INLINE void block_load_direct_warp_striped(unsigned thread, In from, T (&items)[Items]) {
  for (unsigned i = 0; i < Items; ++i) items[i] = from[detail::placeInWarp<Width>(thread, Items, i)];
}
template <unsigned Width = HIPCUB_WARP_THREADS, class In, class T, unsigned Items>
LATHE_INLINE void block_load_direct_warp_striped(unsigned thread, In from, T (&items)[Items], unsigned valid) {
  for (unsigned i = 0; i < Items; ++i) {
    const unsigned place = detail::placeInWarp<Width>(thread, Items, i);
    if (place < valid) items[i] = from[place];
  }
}
template <unsigned Width = HIPCUB_WARP_THREADS, class In, class T, unsigned Items, class Default>
LATHE_INLINE void block_load_direct_warp_striped(unsigned thread, In from, T (&items)[Items], unsigned valid,
                                                 Default otherwise) {
  for (unsigned i = 0; i < Items; ++i) items[i] = static_cast<T>(otherwise);
  block_load_direct_warp_striped<Width>(thread, from, items, valid);
}

}  // namespace rocprim

#endif
