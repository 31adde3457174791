// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of a block's items in a stable order by one digit of their keys. Each column of counters, one for each thread
// or warp, counts its items of each digit; the sums of all counts in front, digit by digit and in them column by
// column, are the places of each column's first items.
#ifndef LATHE_ROCPRIM_BLOCK_RADIX_RANK_H
#define LATHE_ROCPRIM_BLOCK_RADIX_RANK_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

/// Items are blocked, but those of `match` a warp apart: a warp's are in the order of their indices, and among those of
/// lanes.
enum class block_radix_rank_algorithm { basic, basic_memoize, match, default_algorithm = basic };

template <unsigned X, unsigned RadixBits,
          block_radix_rank_algorithm Algorithm = block_radix_rank_algorithm::default_algorithm, unsigned Y = 1,
          unsigned Z = 1>
class block_radix_rank {
  static constexpr bool match = Algorithm == block_radix_rank_algorithm::match;
  static constexpr int width = match ? HIPCUB_WARP_THREADS : 1;
  static constexpr int threads = X * Y * Z, digits = 1 << RadixBits, columns = (threads + width - 1) / width;
  /// Counters that a thread adds up.
  static constexpr int share = (digits * columns + threads - 1) / threads;
  using Scan = hipcub::BlockScan<int, X, hipcub::BLOCK_SCAN_WARP_SCANS, Y, Z>;
  using Count = unsigned short;
  static_assert(threads < 1 << 16, "a block's items are counted in 16 bits");
  struct Storage {
    typename Scan::TempStorage scan;
    Count counts[share * threads];
  };
  LATHE_ROCPRIM_STORAGE(Storage)

  /// Digits of which a thread gives prefixes and counts, side by side.
  static constexpr unsigned digits_per_thread = (digits + threads - 1) / threads;

  // By bits of keys, as a radix sort orders them.
  template <class Key, unsigned Items>
  LATHE_INLINE void rank_keys(const Key (&keys)[Items], unsigned (&ranks)[Items], storage_type& storage,
                              unsigned first = 0, unsigned bits = RadixBits) {
    rank<false>(ranks, storage, [&](unsigned i) { return digitOf(keys[i], first, bits); });
  }
  template <class Key, unsigned Items>
  LATHE_INLINE void rank_keys(const Key (&keys)[Items], unsigned (&ranks)[Items], unsigned first = 0,
                              unsigned bits = RadixBits) {
    rank_keys(keys, ranks, own(), first, bits);
  }
  template <class Key, unsigned Items>
  LATHE_INLINE void rank_keys_desc(const Key (&keys)[Items], unsigned (&ranks)[Items], storage_type& storage,
                                   unsigned first = 0, unsigned bits = RadixBits) {
    rank<true>(ranks, storage, [&](unsigned i) { return digitOf(keys[i], first, bits); });
  }
  template <class Key, unsigned Items>
  LATHE_INLINE void rank_keys_desc(const Key (&keys)[Items], unsigned (&ranks)[Items], unsigned first = 0,
                                   unsigned bits = RadixBits) {
    rank_keys_desc(keys, ranks, own(), first, bits);
  }
  // By a functor from a key to its digit.
  template <class Key, unsigned Items, class Extractor>
    requires requires(Extractor extract, const Key& key) { extract(key); }
  LATHE_INLINE void rank_keys(const Key (&keys)[Items], unsigned (&ranks)[Items], storage_type& storage,
                              Extractor extract) {
    rank<false>(ranks, storage, [&](unsigned i) { return static_cast<unsigned>(extract(keys[i])); });
  }
  template <class Key, unsigned Items, class Extractor>
    requires requires(Extractor extract, const Key& key) { extract(key); }
  LATHE_INLINE void rank_keys(const Key (&keys)[Items], unsigned (&ranks)[Items], Extractor extract) {
    rank_keys(keys, ranks, own(), extract);
  }
  template <class Key, unsigned Items, class Extractor>
    requires requires(Extractor extract, const Key& key) { extract(key); }
  LATHE_INLINE void rank_keys_desc(const Key (&keys)[Items], unsigned (&ranks)[Items], storage_type& storage,
                                   Extractor extract) {
    rank<true>(ranks, storage, [&](unsigned i) { return static_cast<unsigned>(extract(keys[i])); });
  }
  template <class Key, unsigned Items, class Extractor>
    requires requires(Extractor extract, const Key& key) { extract(key); }
  LATHE_INLINE void rank_keys_desc(const Key (&keys)[Items], unsigned (&ranks)[Items], Extractor extract) {
    rank_keys_desc(keys, ranks, own(), extract);
  }
  /// `prefix` becomes the numbers of items in front of the thread's digits, `counts` those of their items.
  template <class Key, unsigned Items, class Extractor>
  LATHE_INLINE void rank_keys(const Key (&keys)[Items], unsigned (&ranks)[Items], storage_type& storage,
                              Extractor extract, unsigned (&prefix)[digits_per_thread],
                              unsigned (&counts)[digits_per_thread]) {
    rank_keys(keys, ranks, storage, extract);
    for (unsigned i = 0; i < digits_per_thread; ++i) {
      const int digit = static_cast<int>(flat_block_thread_id() * digits_per_thread + i);
      if (digit >= digits) return;
      prefix[i] = storage.counts[digit * columns];
      counts[i] = (digit + 1 < digits ? storage.counts[(digit + 1) * columns] : threads * Items) - prefix[i];
    }
  }

 private:
  template <class Key>
  LATHE_INLINE static unsigned digitOf(const Key& key, unsigned first, unsigned bits) {
    return static_cast<unsigned>(hipcub::detail::RadixKey<Key>::of(key) >> first) & ((1u << bits) - 1);
  }
  /// The number of items in front of a lane's own of the same digit, which the warp's column is counted up by.
  LATHE_INLINE static unsigned rankInWarp(Count& count, unsigned digit, int thread) {
    using hipcub::detail::WarpMask;
    const hipcub::detail::Lanes<HIPCUB_WARP_THREADS> group(thread, threads);
    WarpMask same = group.mask >> group.first;
    for (unsigned bit = 0; bit < RadixBits; ++bit) {
      const bool set = digit >> bit & 1;
      const WarpMask voted = group.ballot(set);
      same &= set ? voted : ~voted;
    }
    const unsigned before = hipcub::detail::countOf(same & ((WarpMask{1} << group.lane) - 1)), old = count;
    group.sync();
    if (before == 0) count = static_cast<Count>(old + hipcub::detail::countOf(same));
    group.sync();
    return old + before;
  }
  /// By a functor from an item's index to its digit.
  template <bool Descending, unsigned Items, class DigitOf>
  LATHE_INLINE static void rank(unsigned (&ranks)[Items], Storage& storage, DigitOf digitOf) {
    const int thread = static_cast<int>(flat_block_thread_id());
    for (int i = thread; i < share * threads; i += threads) storage.counts[i] = 0;
    __syncthreads();
    int places[Items];
    for (unsigned i = 0; i < Items; ++i) {
      const unsigned digit = digitOf(i);
      places[i] = (Descending ? digits - 1 - static_cast<int>(digit) : static_cast<int>(digit)) * columns;
      places[i] += thread / width;
      if constexpr (match)
        ranks[i] = rankInWarp(storage.counts[places[i]], digit, thread);
      else
        ranks[i] = storage.counts[places[i]]++;
    }
    __syncthreads();
    hipcub::detail::sumInFront(Scan(storage.scan), storage.counts + thread * share, share);
    for (unsigned i = 0; i < Items; ++i) ranks[i] += storage.counts[places[i]];
  }
};

}  // namespace rocprim

#endif
