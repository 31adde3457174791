// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores of a block's items, the counterpart of block_load_func.hpp.
#ifndef LATHE_ROCPRIM_BLOCK_STORE_FUNC_H
#define LATHE_ROCPRIM_BLOCK_STORE_FUNC_H

#include <rocprim/block/block_load_func.hpp>

namespace rocprim {

template <class Out, class T, unsigned Items, class... Valid>
LATHE_INLINE void block_store_direct_blocked(unsigned thread, Out to, T (&items)[Items], Valid... valid) {
  hipcub::StoreDirectBlocked(static_cast<int>(thread), to, items, valid...);
}
template <class T, class U, unsigned Items>
LATHE_INLINE void block_store_direct_blocked_vectorized(unsigned thread, T* to, U (&items)[Items]) {
  hipcub::StoreDirectBlocked(static_cast<int>(thread), to, items);
}
template <unsigned X, class Out, class T, unsigned Items, class... Valid>
LATHE_INLINE void block_store_direct_striped(unsigned thread, Out to, T (&items)[Items], Valid... valid) {
  hipcub::StoreDirectStriped<X>(static_cast<int>(thread), to, items, valid...);
}
template <unsigned Width = HIPCUB_WARP_THREADS, class Out, class T, unsigned Items>
LATHE_INLINE void block_store_direct_warp_striped(unsigned thread, Out to, T (&items)[Items]) {
  for (unsigned i = 0; i < Items; ++i) to[detail::placeInWarp<Width>(thread, Items, i)] = items[i];
}
template <unsigned Width = HIPCUB_WARP_THREADS, class Out, class T, unsigned Items>
LATHE_INLINE void block_store_direct_warp_striped(unsigned thread, Out to, T (&items)[Items], unsigned valid) {
  for (unsigned i = 0; i < Items; ++i) {
    const unsigned place = detail::placeInWarp<Width>(thread, Items, i);
    if (place < valid) to[place] = items[i];
  }
}

}  // namespace rocprim

#endif
