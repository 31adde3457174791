// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stable merge sort of a group's items, blocked: each thread sorts its own, then runs of twice the length are merged
// until one is left. An item's place in a merge is its place in its run and the number of the other run's items in
// front of it, which a binary search finds; equal ones of the first run come first.
#ifndef LATHE_CUB_MERGE_SORT_H
#define LATHE_CUB_MERGE_SORT_H

#include <cub/thread/thread_sort.cuh>
#include <cub/util_type.cuh>

namespace LATHE_CUB {
namespace detail {

template <class K, class V, int Threads, int Items>
struct MergeSortStorage {
  Room<K, Threads * Items> keys;
  Room<V, __is_same(V, NullType) ? 1 : Threads * Items> values;
};

/// Items of the run from `first` to `last` that come before `key`: those below it and, with `equal`, those equal to it.
template <class Keys, class K, class Compare>
LATHE_INLINE int before(Keys& keys, int first, int last, const K& key, bool equal, Compare below) {
  const int begin = first;
  while (first < last) {
    const int middle = (first + last) / 2;
    if (equal ? !below(key, keys[middle]) : below(keys[middle], key))
      first = middle + 1;
    else
      last = middle;
  }
  return first - begin;
}

/// `sync()` waits for the group's threads. Items from `valid` on take no part.
template <int Threads, class K, class Stored, class V, int Items, class Compare, class Sync>
LATHE_INLINE void mergeSort(MergeSortStorage<K, Stored, Threads, Items>& storage, int thread, K (&keys)[Items],
                            V (&values)[Items], Compare below, int valid, Sync sync) {
  constexpr bool pairs = !__is_same(V, NullType);
  constexpr int all = Threads * Items;
  const int own = thread * Items;
  // As those beyond the end stay behind the others, they are above every item here.
  if (own + Items <= valid) {
    StableOddEvenSort(keys, values, below);
  } else {
    for (int round = 0; round < Items; ++round) {
      for (int i = round & 1; i < Items - 1; i += 2) {
        if (own + i + 1 >= valid || !below(keys[i + 1], keys[i])) continue;
        Swap(keys[i], keys[i + 1]);
        if constexpr (pairs) Swap(values[i], values[i + 1]);
      }
    }
  }
  for (int run = Items; run < all; run *= 2) {
    sync();
    for (int i = 0; i < Items; ++i) storage.keys[own + i] = keys[i];
    sync();
    int places[Items];
    for (int i = 0; i < Items; ++i) {
      const int at = own + i, first = at / (2 * run) * (2 * run);
      places[i] = at;
      if (at >= valid) continue;
      const int middle = first + run < valid ? first + run : valid;
      const int last = first + 2 * run < valid ? first + 2 * run : valid;
      places[i] += at < middle ? before(storage.keys, middle, last, keys[i], false, below)
                               : before(storage.keys, first, middle, keys[i], true, below) - (middle - first);
    }
    sync();
    for (int i = 0; i < Items; ++i) {
      storage.keys[places[i]] = keys[i];
      if constexpr (pairs) storage.values[places[i]] = values[i];
    }
    sync();
    for (int i = 0; i < Items; ++i) {
      keys[i] = storage.keys[own + i];
      if constexpr (pairs) values[i] = storage.values[own + i];
    }
  }
}

}  // namespace detail
}  // namespace LATHE_CUB

// The sorts' members, by a member `sort`. Keys from `valid` on become `beyond`, which no valid key is above.
#define LATHE_CUB_MERGE_SORTS(name)                                                                     \
  template <class Compare>                                                                              \
  LATHE_INLINE void name(K(&keys)[Items], Compare below) {                                              \
    NullType none[Items];                                                                               \
    sort(keys, none, below, Threads * Items);                                                           \
  }                                                                                                     \
  template <class Compare>                                                                              \
  LATHE_INLINE void name(K(&keys)[Items], V(&values)[Items], Compare below) {                           \
    sort(keys, values, below, Threads * Items);                                                         \
  }                                                                                                     \
  template <class Compare>                                                                              \
  LATHE_INLINE void name(K(&keys)[Items], Compare below, int valid, K beyond) {                         \
    NullType none[Items];                                                                               \
    name(keys, none, below, valid, beyond);                                                             \
  }                                                                                                     \
  template <class Compare, bool = true, class Values>                                                   \
  LATHE_INLINE void name(K(&keys)[Items], Values(&values)[Items], Compare below, int valid, K beyond) { \
    for (int i = 0; i < Items; ++i)                                                                     \
      if (thread_ % Threads * Items + i >= valid) keys[i] = beyond;                                     \
    sort(keys, values, below, valid);                                                                   \
  }

#endif
