// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores of a logical warp's items, the counterpart of warp_load.hpp.
#ifndef LATHE_ROCPRIM_WARP_STORE_H
#define LATHE_ROCPRIM_WARP_STORE_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

enum class warp_store_method {
  warp_store_direct,
  warp_store_striped,
  warp_store_vectorize,
  warp_store_transpose,
  default_method = warp_store_direct
};

template <class T, unsigned Items, unsigned Width = HIPCUB_WARP_THREADS,
          warp_store_method Method = warp_store_method::default_method>
class warp_store {
  using Collective = hipcub::WarpStore<
      T, Items,
      Method == warp_store_method::warp_store_striped ? hipcub::WARP_STORE_STRIPED : hipcub::WARP_STORE_DIRECT, Width>;

 public:
  using storage_type = typename Collective::TempStorage;

  template <class Out>
  LATHE_INLINE void store(Out to, T (&items)[Items], storage_type& storage) {
    Collective(storage).Store(to, items);
  }
  template <class Out>
  LATHE_INLINE void store(Out to, T (&items)[Items], unsigned valid, storage_type& storage) {
    Collective(storage).Store(to, items, static_cast<int>(valid));
  }
};

}  // namespace rocprim

#endif
