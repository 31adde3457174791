// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of a block's items, blocked, in a stable order by one digit. Every thread counts its items of each digit; the
// sums of all counts in front, digit by digit and in them thread by thread, are the places of each thread's first
// items.
#ifndef LATHE_CUB_BLOCK_RADIX_RANK_H
#define LATHE_CUB_BLOCK_RADIX_RANK_H

#include <cub/block/block_scan.cuh>
#include <cub/block/radix_rank_sort_operations.cuh>

namespace LATHE_CUB {

enum RadixRankAlgorithm {
  RADIX_RANK_BASIC,
  RADIX_RANK_MEMOIZE,
  RADIX_RANK_MATCH,
  RADIX_RANK_MATCH_EARLY_COUNTS_ANY,
  RADIX_RANK_MATCH_EARLY_COUNTS_ATOMIC_OR
};

namespace detail {
/// Makes of a block's counts, `each` of them a thread's side by side, the sums of all in front of each.
template <class Scan, class Count>
LATHE_INLINE void sumInFront(Scan scan, Count* own, int each) {
  int sum = 0;
  for (int i = 0; i < each; ++i) sum += own[i];
  scan.ExclusiveSum(sum, sum);
  for (int i = 0; i < each; ++i) {
    const int count = own[i];
    own[i] = static_cast<Count>(sum);
    sum += count;
  }
  __syncthreads();
}
/// The numbers of items in front of the thread's digits, which are side by side; `placeOf` tells where a digit's is.
template <int Bins, class Count, class PlaceOf>
LATHE_INLINE void binsOfThread(int (&prefix)[Bins], int thread, int digits, const Count* counts, PlaceOf placeOf) {
  for (int i = 0; i < Bins; ++i) {
    const int digit = thread * Bins + i;
    if (digit < digits) prefix[i] = counts[placeOf(static_cast<unsigned>(digit))];
  }
}
}  // namespace detail

/// The last but two parameters are CUB's configuration of shared memory, a block's height and its depth.
template <int X, int Bits, bool Descending, bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, auto = 0,
          int Y = 1, int Z = 1, int = 0>
class BlockRadixRank {
  static constexpr int threads = X * Y * Z, digits = 1 << Bits;
  using Scan = BlockScan<int, X, BLOCK_SCAN_WARP_SCANS, Y, Z>;
  struct Storage {
    typename Scan::TempStorage scan;
    unsigned short counts[digits * threads];
  };
  LATHE_CUB_STORAGE(BlockRadixRank)
  LATHE_INLINE static int row(unsigned digit) {
    return (Descending ? digits - 1 - static_cast<int>(digit) : static_cast<int>(digit)) * threads;
  }

 public:
  static constexpr int BINS_TRACKED_PER_THREAD = (digits + threads - 1) / threads;

  template <class Key, int Items, class Extractor>
  LATHE_INLINE void RankKeys(Key (&keys)[Items], int (&ranks)[Items], Extractor extractor) {
    rank<Items>(ranks, [&](int i) { return extractor.Digit(keys[i]); });
  }
  /// `prefix` becomes the numbers of items in front of the thread's digits, which are side by side.
  template <class Key, int Items, class Extractor>
  LATHE_INLINE void RankKeys(Key (&keys)[Items], int (&ranks)[Items], Extractor extractor,
                             int (&prefix)[BINS_TRACKED_PER_THREAD]) {
    RankKeys(keys, ranks, extractor);
    detail::binsOfThread(prefix, thread_, digits, storage_.counts, row);
  }
  /// By a functor from an item's index to its digit.
  template <int Items, class DigitOf>
  LATHE_INLINE void rank(int (&ranks)[Items], DigitOf digitOf) {
    for (int digit = 0; digit < digits; ++digit) storage_.counts[digit * threads + thread_] = 0;
    int places[Items];
    for (int i = 0; i < Items; ++i) {
      places[i] = row(digitOf(i)) + thread_;
      ranks[i] = storage_.counts[places[i]]++;
    }
    __syncthreads();
    // Each thread adds up as many counts, side by side, as there are digits.
    detail::sumInFront(Scan(storage_.scan), storage_.counts + thread_ * digits, digits);
    for (int i = 0; i < Items; ++i) ranks[i] += storage_.counts[places[i]];
  }
};

/// The same of items a warp apart: a warp's items are in the order of their indices, and among those of lanes.
template <int X, int Bits, bool Descending, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int Y = 1, int Z = 1, int = 0>
class BlockRadixRankMatch {
  static constexpr int threads = X * Y * Z, digits = 1 << Bits, warps = (threads + 31) / 32;
  using Scan = BlockScan<int, X, BLOCK_SCAN_WARP_SCANS, Y, Z>;
  static constexpr int share = (digits * warps + threads - 1) / threads;
  struct Storage {
    typename Scan::TempStorage scan;
    int counts[share * threads];
  };
  LATHE_CUB_STORAGE(BlockRadixRankMatch)
  LATHE_INLINE static int row(unsigned digit) {
    return (Descending ? digits - 1 - static_cast<int>(digit) : static_cast<int>(digit)) * warps;
  }

 public:
  static constexpr int BINS_TRACKED_PER_THREAD = (digits + threads - 1) / threads;

  template <class Key, int Items, class Extractor>
  LATHE_INLINE void RankKeys(Key (&keys)[Items], int (&ranks)[Items], Extractor extractor) {
    const detail::Lanes<32> group(thread_, threads);
    for (int i = thread_; i < share * threads; i += threads) storage_.counts[i] = 0;
    __syncthreads();
    int places[Items];
    for (int i = 0; i < Items; ++i) {
      const unsigned digit = extractor.Digit(keys[i]);
      places[i] = row(digit) + thread_ / 32;
      detail::WarpMask same = ~detail::WarpMask{};
      for (int bit = 0; bit < Bits; ++bit) {
        const bool set = digit >> bit & 1;
        const detail::WarpMask voted = group.ballot(set);
        same &= set ? voted : ~voted;
      }
      if (group.count < static_cast<int>(8 * sizeof(same))) same &= (detail::WarpMask{1} << group.count) - 1;
      const int before = detail::countOf(same & ((detail::WarpMask{1} << group.lane) - 1));
      ranks[i] = storage_.counts[places[i]] + before;
      group.sync();
      if (before == 0) storage_.counts[places[i]] += detail::countOf(same);
      group.sync();
    }
    __syncthreads();
    detail::sumInFront(Scan(storage_.scan), storage_.counts + thread_ * share, share);
    for (int i = 0; i < Items; ++i) ranks[i] += storage_.counts[places[i]];
  }
  template <class Key, int Items, class Extractor>
  LATHE_INLINE void RankKeys(Key (&keys)[Items], int (&ranks)[Items], Extractor extractor,
                             int (&prefix)[BINS_TRACKED_PER_THREAD]) {
    RankKeys(keys, ranks, extractor);
    detail::binsOfThread(prefix, thread_, digits, storage_.counts, row);
  }
};

}  // namespace LATHE_CUB

#endif
