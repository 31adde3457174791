// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of a block's items. All methods but the striped one leave a thread's items side by side.
#ifndef LATHE_ROCPRIM_BLOCK_LOAD_H
#define LATHE_ROCPRIM_BLOCK_LOAD_H

#include <rocprim/block/block_load_func.hpp>

namespace rocprim {

enum class block_load_method {
  block_load_direct,
  block_load_striped,
  block_load_vectorize,
  block_load_transpose,
  block_load_warp_transpose,
  default_method = block_load_direct
};

template <class T, unsigned X, unsigned Items, block_load_method Method = block_load_method::default_method,
          unsigned Y = 1, unsigned Z = 1>
class block_load {
  LATHE_ROCPRIM_COLLECTIVE(BlockLoad<T, X, Items,
                                     Method == block_load_method::block_load_striped ? hipcub::BLOCK_LOAD_STRIPED
                                                                                     : hipcub::BLOCK_LOAD_DIRECT,
                                     Y, Z>)
  // Storage, which comes last, is accepted and not needed.
  template <class In, class... Storage>
  LATHE_INLINE void load(In from, T (&items)[Items], Storage&...)
    requires(sizeof...(Storage) == 0 || (__is_same(Storage, storage_type) && ...))
  {
    storage_type none;
    Collective(none).Load(from, items);
  }
  template <class In, class... Storage>
  LATHE_INLINE void load(In from, T (&items)[Items], unsigned valid, Storage&...)
    requires(sizeof...(Storage) == 0 || (__is_same(Storage, storage_type) && ...))
  {
    storage_type none;
    Collective(none).Load(from, items, static_cast<int>(valid));
  }
  template <class In, class Default, class... Storage>
  LATHE_INLINE void load(In from, T (&items)[Items], unsigned valid, Default otherwise, Storage&...)
    requires(!__is_same(Default, storage_type))
  {
    storage_type none;
    Collective(none).Load(from, items, static_cast<int>(valid), otherwise);
  }
};

}  // namespace rocprim

#endif
