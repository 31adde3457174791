// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of items in a logical warp, between those side by side in a lane (blocked) and those a warp apart
// (striped).
#ifndef LATHE_CUB_WARP_EXCHANGE_H
#define LATHE_CUB_WARP_EXCHANGE_H

#include <cub/detail/lanes.cuh>
#include <cub/util_type.cuh>

namespace LATHE_CUB {

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int Items, int Width = LATHE_CUB_WARP, auto = WARP_EXCHANGE_SMEM>
class WarpExchange {
  struct Storage {
    detail::Room<T, Width * Items> items;
  };
  LATHE_CUB_STORAGE(WarpExchange)
  template <class Out, class Place, class From>
  LATHE_INLINE void through(const T (&in)[Items], Out (&out)[Items], Place place, From from) {
    const detail::Lanes<Width> group(thread_, detail::threadsOfBlock());
    for (int i = 0; i < Items; ++i) storage_.items[place(group.lane, i)] = in[i];
    group.sync();
    for (int i = 0; i < Items; ++i) out[i] = static_cast<Out>(storage_.items[from(group.lane, i)]);
  }
  LATHE_INLINE static int blocked(int lane, int i) { return lane * Items + i; }
  LATHE_INLINE static int striped(int lane, int i) { return lane + i * Width; }

 public:
  template <class Out>
  LATHE_INLINE void BlockedToStriped(const T (&in)[Items], Out (&out)[Items]) {
    through(
        in, out, [](int lane, int i) { return blocked(lane, i); }, [](int lane, int i) { return striped(lane, i); });
  }
  template <class Out>
  LATHE_INLINE void StripedToBlocked(const T (&in)[Items], Out (&out)[Items]) {
    through(
        in, out, [](int lane, int i) { return striped(lane, i); }, [](int lane, int i) { return blocked(lane, i); });
  }
  /// Ranks are places in the warp's items.
  template <class Out, class Rank>
  LATHE_INLINE void ScatterToStriped(const T (&in)[Items], Out (&out)[Items], const Rank (&ranks)[Items]) {
    through(
        in, out, [&](int, int i) { return static_cast<int>(ranks[i]); },
        [](int lane, int i) { return striped(lane, i); });
  }
  template <class Rank>
  LATHE_INLINE void ScatterToStriped(T (&items)[Items], const Rank (&ranks)[Items]) {
    ScatterToStriped(items, items, ranks);
  }
};

}  // namespace LATHE_CUB

#endif
