// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of a block's items through shared memory, between those side by side in a thread (blocked), a block apart
// (striped) and a warp apart (warp-striped). Ranks are places in the block's items; those outside it go nowhere.
#ifndef LATHE_CUB_BLOCK_EXCHANGE_H
#define LATHE_CUB_BLOCK_EXCHANGE_H

#include <cub/detail/storage.cuh>

namespace LATHE_CUB {

template <class T, int X, int Items, bool = false, int Y = 1, int Z = 1, int = 0>
class BlockExchange {
  static constexpr int threads = X * Y * Z;
  struct Storage {
    detail::Room<T, threads * Items> items;
  };
  LATHE_CUB_STORAGE(BlockExchange)
  template <class Place, class From, class Out>
  LATHE_INLINE void through(const T (&in)[Items], Out& out, Place place, From from) {
    for (int i = 0; i < Items; ++i) {
      const int at = place(i);
      if (at >= 0 && at < threads * Items) storage_.items[at] = in[i];
    }
    __syncthreads();
    for (int i = 0; i < Items; ++i) out[i] = storage_.items[from(i)];
  }
  LATHE_INLINE int blocked(int i) const { return thread_ * Items + i; }
  LATHE_INLINE int striped(int i) const { return thread_ + i * threads; }
  LATHE_INLINE int warpStriped(int i) const {
    constexpr int warp = LATHE_CUB_WARP;
    const int first = thread_ / warp * warp;
    const int width = threads - first < warp ? threads - first : warp;
    return first * Items + thread_ % warp + i * width;
  }

 public:
#define LATHE_CUB_EXCHANGE(name, place, from)                                          \
  template <class Out>                                                                 \
  LATHE_INLINE void name(const T(&in)[Items], Out(&out)[Items]) {                      \
    through(in, out, [&](int i) { return place(i); }, [&](int i) { return from(i); }); \
  }                                                                                    \
  LATHE_INLINE void name(T(&items)[Items]) { name(items, items); }
  LATHE_CUB_EXCHANGE(BlockedToStriped, blocked, striped)
  LATHE_CUB_EXCHANGE(StripedToBlocked, striped, blocked)
  LATHE_CUB_EXCHANGE(BlockedToWarpStriped, blocked, warpStriped)
  LATHE_CUB_EXCHANGE(WarpStripedToBlocked, warpStriped, blocked)
#undef LATHE_CUB_EXCHANGE

#define LATHE_CUB_SCATTER(name, from)                                                                    \
  template <class Out, class Rank>                                                                       \
  LATHE_INLINE void name(const T(&in)[Items], Out(&out)[Items], const Rank(&ranks)[Items]) {             \
    through(in, out, [&](int i) { return static_cast<int>(ranks[i]); }, [&](int i) { return from(i); }); \
  }                                                                                                      \
  template <class Rank>                                                                                  \
  LATHE_INLINE void name(T(&items)[Items], const Rank(&ranks)[Items]) {                                  \
    name(items, items, ranks);                                                                           \
  }
  LATHE_CUB_SCATTER(ScatterToBlocked, blocked)
  LATHE_CUB_SCATTER(ScatterToStriped, striped)
  LATHE_CUB_SCATTER(ScatterToStripedGuarded, striped)
#undef LATHE_CUB_SCATTER
  template <class Out, class Rank, class Valid>
  LATHE_INLINE void ScatterToStripedFlagged(const T (&in)[Items], Out (&out)[Items], const Rank (&ranks)[Items],
                                            const Valid (&valid)[Items]) {
    through(
        in, out, [&](int i) { return valid[i] ? static_cast<int>(ranks[i]) : -1; }, [&](int i) { return striped(i); });
  }
  template <class Rank, class Valid>
  LATHE_INLINE void ScatterToStripedFlagged(T (&items)[Items], const Rank (&ranks)[Items],
                                            const Valid (&valid)[Items]) {
    ScatterToStripedFlagged(items, items, ranks, valid);
  }
};

}  // namespace LATHE_CUB

#endif
