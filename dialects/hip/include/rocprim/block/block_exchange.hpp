// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of a block's items between those side by side in a thread (blocked), a block apart (striped) and a warp
// apart (warp-striped). Ranks are places in the block's items.
#ifndef LATHE_ROCPRIM_BLOCK_EXCHANGE_H
#define LATHE_ROCPRIM_BLOCK_EXCHANGE_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

template <class T, unsigned X, unsigned Items, unsigned Y = 1, unsigned Z = 1>
class block_exchange {
  LATHE_ROCPRIM_COLLECTIVE(BlockExchange<T, X, Items, false, Y, Z>)
#define LATHE_ROCPRIM_EXCHANGE(name, method)                                             \
  template <class Out>                                                                   \
  LATHE_INLINE void name(const T(&in)[Items], Out(&out)[Items], storage_type& storage) { \
    Collective(storage).method(in, out);                                                 \
  }                                                                                      \
  template <class Out>                                                                   \
  LATHE_INLINE void name(const T(&in)[Items], Out(&out)[Items]) {                        \
    name(in, out, own());                                                                \
  }
  LATHE_ROCPRIM_EXCHANGE(blocked_to_striped, BlockedToStriped)
  LATHE_ROCPRIM_EXCHANGE(striped_to_blocked, StripedToBlocked)
  LATHE_ROCPRIM_EXCHANGE(blocked_to_warp_striped, BlockedToWarpStriped)
  LATHE_ROCPRIM_EXCHANGE(warp_striped_to_blocked, WarpStripedToBlocked)
#undef LATHE_ROCPRIM_EXCHANGE
#define LATHE_ROCPRIM_RANKED(name, method)                                                                          \
  template <class Out, class Rank>                                                                                  \
  LATHE_INLINE void name(const T(&in)[Items], Out(&out)[Items], const Rank(&ranks)[Items], storage_type& storage) { \
    Collective(storage).method(in, out, ranks);                                                                     \
  }                                                                                                                 \
  template <class Out, class Rank>                                                                                  \
  LATHE_INLINE void name(const T(&in)[Items], Out(&out)[Items], const Rank(&ranks)[Items]) {                        \
    name(in, out, ranks, own());                                                                                    \
  }
  LATHE_ROCPRIM_RANKED(scatter_to_blocked, ScatterToBlocked)
  LATHE_ROCPRIM_RANKED(scatter_to_striped, ScatterToStriped)
  LATHE_ROCPRIM_RANKED(scatter_to_striped_guarded, ScatterToStriped)  // whose negative ranks go nowhere
#undef LATHE_ROCPRIM_RANKED

  /// Items whose flag is not set go nowhere.
  template <class Out, class Rank, class Valid>
  LATHE_INLINE void scatter_to_striped_flagged(const T (&in)[Items], Out (&out)[Items], const Rank (&ranks)[Items],
                                               const Valid (&valid)[Items], storage_type& storage) {
    Collective(storage).ScatterToStripedFlagged(in, out, ranks, valid);
  }
  template <class Out, class Rank, class Valid>
  LATHE_INLINE void scatter_to_striped_flagged(const T (&in)[Items], Out (&out)[Items], const Rank (&ranks)[Items],
                                               const Valid (&valid)[Items]) {
    scatter_to_striped_flagged(in, out, ranks, valid, own());
  }
  /// The items are striped; each thread gets those with its ranks.
  template <class Out, class Rank>
  LATHE_INLINE void gather_from_striped(const T (&in)[Items], Out (&out)[Items], const Rank (&ranks)[Items],
                                        storage_type& storage) {
    for (unsigned i = 0; i < Items; ++i) storage.items[flat_block_thread_id() + i * (X * Y * Z)] = in[i];
    __syncthreads();
    for (unsigned i = 0; i < Items; ++i) out[i] = static_cast<Out>(storage.items[static_cast<int>(ranks[i])]);
  }
  template <class Out, class Rank>
  LATHE_INLINE void gather_from_striped(const T (&in)[Items], Out (&out)[Items], const Rank (&ranks)[Items]) {
    gather_from_striped(in, out, ranks, own());
  }
};

}  // namespace rocprim

#endif
