// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of items in a logical warp, between those side by side in a lane (blocked) and those a warp apart
// (striped), through shared memory or by shuffles.
#ifndef LATHE_ROCPRIM_WARP_EXCHANGE_H
#define LATHE_ROCPRIM_WARP_EXCHANGE_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

template <class T, unsigned Items, unsigned Width = HIPCUB_WARP_THREADS>
class warp_exchange {
  using Collective = hipcub::WarpExchange<T, Items, Width>;

 public:
  using storage_type = typename Collective::TempStorage;

  template <class Out>
  LATHE_INLINE void blocked_to_striped(const T (&in)[Items], Out (&out)[Items], storage_type& storage) {
    Collective(storage).BlockedToStriped(in, out);
  }
  template <class Out>
  LATHE_INLINE void striped_to_blocked(const T (&in)[Items], Out (&out)[Items], storage_type& storage) {
    Collective(storage).StripedToBlocked(in, out);
  }
  /// Ranks are places in the warp's items.
  template <class Out, class Rank>
  LATHE_INLINE void scatter_to_striped(const T (&in)[Items], Out (&out)[Items], const Rank (&ranks)[Items],
                                       storage_type& storage) {
    Collective(storage).ScatterToStriped(in, out, ranks);
  }
  template <class Out>
  LATHE_INLINE void blocked_to_striped_shuffle(const T (&in)[Items], Out (&out)[Items]) {
    shuffled(in, out, [](unsigned lane, unsigned i) {
      const unsigned place = i * Width + lane;
      return Source{place / Items, place % Items};
    });
  }
  template <class Out>
  LATHE_INLINE void striped_to_blocked_shuffle(const T (&in)[Items], Out (&out)[Items]) {
    shuffled(in, out, [](unsigned lane, unsigned i) {
      const unsigned place = lane * Items + i;
      return Source{place % Width, place / Width};
    });
  }

 private:
  struct Source {
    unsigned lane, item;
  };
  template <class Out, class From>
  LATHE_INLINE static void shuffled(const T (&in)[Items], Out (&out)[Items], From from) {
    const hipcub::detail::Lanes<Width> group(hipcub::detail::threadOfBlock(), hipcub::detail::threadsOfBlock());
    detail::Copied copy(in);
    for (unsigned i = 0; i < Items; ++i) {
      const Source source = from(static_cast<unsigned>(group.lane), i);
      // Every item is shuffled: lanes ask for different ones.
      for (unsigned k = 0; k < Items; ++k) {
        const T value = group.fromLane(copy.items()[k], static_cast<int>(source.lane));
        if (k == source.item) out[i] = static_cast<Out>(value);
      }
    }
  }
};

}  // namespace rocprim

#endif
