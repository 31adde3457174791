// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stable sorts of a block's items by the bits of their keys, a digit a round from the lowest: a round ranks the items
// and moves them to their places through shared memory. Keys are numbers, or structures of which a functor gives the
// members.
#ifndef LATHE_CUB_BLOCK_RADIX_SORT_H
#define LATHE_CUB_BLOCK_RADIX_SORT_H

#include <cub/block/block_radix_rank.cuh>

namespace LATHE_CUB {

template <class K, int X, int Items, class V = NullType, int RadixBits = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, auto = 0, int Y = 1, int Z = 1, int = 0>
class BlockRadixSort {
  static constexpr int threads = X * Y * Z;
  template <bool Descending>
  using Rank = BlockRadixRank<X, RadixBits, Descending, true, BLOCK_SCAN_WARP_SCANS, 0, Y, Z>;
  struct Storage {
    union {
      typename Rank<false>::TempStorage up;
      typename Rank<true>::TempStorage down;
      detail::Room<K, threads * Items> keys;
      detail::Room<V, threads * Items> values;
    };
  };
  LATHE_CUB_STORAGE(BlockRadixSort)

  template <class T>
  LATHE_INLINE void move(detail::Room<T, threads * Items>& room, T (&items)[Items], const int (&ranks)[Items],
                         bool striped) {
    for (int i = 0; i < Items; ++i) room[ranks[i]] = items[i];
    __syncthreads();
    for (int i = 0; i < Items; ++i) items[i] = room[striped ? thread_ + i * threads : thread_ * Items + i];
  }
  template <bool Descending, bool Striped, class Values, class Keys>
  LATHE_INLINE void sort(K (&keys)[Items], Values& values, Keys whole, int first, int last) {
    for (;;) {
      const int count = last - first < RadixBits ? last - first : RadixBits;
      const unsigned mask = (1u << (count > 0 ? count : 0)) - 1;
      int ranks[Items];
      const auto digitOf = [&](int i) { return static_cast<unsigned>(whole.bits(keys[i]) >> first) & mask; };
      if constexpr (Descending)
        Rank<true>(storage_.down).rank(ranks, digitOf);
      else
        Rank<false>(storage_.up).rank(ranks, digitOf);
      first += RadixBits;
      const bool striped = Striped && first >= last;
      __syncthreads();
      move(storage_.keys, keys, ranks, striped);
      if constexpr (!__is_same(Values, detail::Nothing)) {
        __syncthreads();
        move(storage_.values, values, ranks, striped);
      }
      if (first >= last) return;
      __syncthreads();
    }
  }
  template <class Decomposer>
  static constexpr bool decomposes = !__is_convertible(Decomposer, int);

 public:
  // By all bits, those from `first` to `last`, or those of members.
#define LATHE_CUB_SORT(name, descending, striped)                                                       \
  LATHE_INLINE void name(K(&keys)[Items], int first = 0, int last = 8 * sizeof(K)) {                    \
    detail::Nothing none;                                                                               \
    sort<descending, striped>(keys, none, detail::Whole(), first, last);                                \
  }                                                                                                     \
  LATHE_INLINE void name(K(&keys)[Items], V(&values)[Items], int first = 0, int last = 8 * sizeof(K)) { \
    sort<descending, striped>(keys, values, detail::Whole(), first, last);                              \
  }                                                                                                     \
  template <class Decomposer>                                                                           \
    requires decomposes<Decomposer>                                                                     \
  LATHE_INLINE void name(K(&keys)[Items], Decomposer members, int first, int last) {                    \
    detail::Nothing none;                                                                               \
    sort<descending, striped>(keys, none, detail::Members<Decomposer>{members}, first, last);           \
  }                                                                                                     \
  template <class Decomposer>                                                                           \
    requires decomposes<Decomposer>                                                                     \
  LATHE_INLINE void name(K(&keys)[Items], Decomposer members) {                                         \
    name(keys, members, 0, detail::Members<Decomposer>::template count<K>);                             \
  }                                                                                                     \
  template <class Decomposer>                                                                           \
    requires decomposes<Decomposer>                                                                     \
  LATHE_INLINE void name(K(&keys)[Items], V(&values)[Items], Decomposer members, int first, int last) { \
    sort<descending, striped>(keys, values, detail::Members<Decomposer>{members}, first, last);         \
  }                                                                                                     \
  template <class Decomposer>                                                                           \
    requires decomposes<Decomposer>                                                                     \
  LATHE_INLINE void name(K(&keys)[Items], V(&values)[Items], Decomposer members) {                      \
    name(keys, values, members, 0, detail::Members<Decomposer>::template count<K>);                     \
  }
  LATHE_CUB_SORT(Sort, false, false)
  LATHE_CUB_SORT(SortDescending, true, false)
  LATHE_CUB_SORT(SortBlockedToStriped, false, true)
  LATHE_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef LATHE_CUB_SORT
};

}  // namespace LATHE_CUB

#endif
