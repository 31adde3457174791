// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of a logical warp's items, side by side in each lane but for striped loads. Items from `valid` on stay as they
// are, or become a value given.
#ifndef LATHE_ROCPRIM_WARP_LOAD_H
#define LATHE_ROCPRIM_WARP_LOAD_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

enum class warp_load_method {
  warp_load_direct,
  warp_load_striped,
  warp_load_vectorize,
  warp_load_transpose,
  default_method = warp_load_direct
};

template <class T, unsigned Items, unsigned Width = HIPCUB_WARP_THREADS,
          warp_load_method Method = warp_load_method::default_method>
class warp_load {
  using Collective = hipcub::WarpLoad<
      T, Items, Method == warp_load_method::warp_load_striped ? hipcub::WARP_LOAD_STRIPED : hipcub::WARP_LOAD_DIRECT,
      Width>;

 public:
  using storage_type = typename Collective::TempStorage;

  template <class In>
  LATHE_INLINE void load(In from, T (&items)[Items], storage_type& storage) {
    Collective(storage).Load(from, items);
  }
  template <class In>
  LATHE_INLINE void load(In from, T (&items)[Items], unsigned valid, storage_type& storage) {
    Collective(storage).Load(from, items, static_cast<int>(valid));
  }
  template <class In, class Default>
  LATHE_INLINE void load(In from, T (&items)[Items], unsigned valid, Default otherwise, storage_type& storage) {
    Collective(storage).Load(from, items, static_cast<int>(valid), otherwise);
  }
};

}  // namespace rocprim

#endif
