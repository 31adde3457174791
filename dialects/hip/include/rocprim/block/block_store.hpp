// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores of a block's items. All methods but the striped one take a thread's items as side by side.
#ifndef LATHE_ROCPRIM_BLOCK_STORE_H
#define LATHE_ROCPRIM_BLOCK_STORE_H

#include <rocprim/block/block_store_func.hpp>

namespace rocprim {

enum class block_store_method {
  block_store_direct,
  block_store_striped,
  block_store_vectorize,
  block_store_transpose,
  block_store_warp_transpose,
  default_method = block_store_direct
};

template <class T, unsigned X, unsigned Items, block_store_method Method = block_store_method::default_method,
          unsigned Y = 1, unsigned Z = 1>
class block_store {
  LATHE_ROCPRIM_COLLECTIVE(BlockStore<T, X, Items,
                                      Method == block_store_method::block_store_striped ? hipcub::BLOCK_STORE_STRIPED
                                                                                        : hipcub::BLOCK_STORE_DIRECT,
                                      Y, Z>)
  template <class Out>
  LATHE_INLINE void store(Out to, T (&items)[Items]) {
    storage_type none;
    Collective(none).Store(to, items);
  }
  template <class Out>
  LATHE_INLINE void store(Out to, T (&items)[Items], storage_type&) {
    store(to, items);
  }
  template <class Out, class... Storage>
  LATHE_INLINE void store(Out to, T (&items)[Items], unsigned valid, Storage&...) {
    storage_type none;
    Collective(none).Store(to, items, static_cast<int>(valid));
  }
};

}  // namespace rocprim

#endif
