// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts of a logical warp's items, blocked, by a comparison, which keep no order among equal ones. Every lane sorts its
// own items; then lanes merge as in a bitonic sort whose comparisons all put the less in front (Batcher, "Sorting
// networks and their applications", AFIPS 1968): of two lanes' sorted items one keeps the less half, the other the
// rest.
#ifndef LATHE_ROCPRIM_WARP_SORT_H
#define LATHE_ROCPRIM_WARP_SORT_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

template <class K, unsigned Width = HIPCUB_WARP_THREADS, class V = empty_type>
class warp_sort {
  static_assert((Width & (Width - 1)) == 0, "a sort's logical warps have a power of two threads");
  using Lanes = hipcub::detail::Lanes<Width>;

 public:
  struct storage_type {};

  // Without storage or with it, which is not needed.
#define LATHE_ROCPRIM_SORTS(items, keys, values, ...)                \
  template <items detail::BinaryOf<K> Op = less<K>>                  \
  LATHE_INLINE void sort(__VA_ARGS__, Op op = Op()) {                \
    sorted(keys, values, op);                                        \
  }                                                                  \
  template <items detail::BinaryOf<K> Op = less<K>>                  \
  LATHE_INLINE void sort(__VA_ARGS__, storage_type&, Op op = Op()) { \
    sorted(keys, values, op);                                        \
  }
#define LATHE_ROCPRIM_ITEMS unsigned Items,
  LATHE_ROCPRIM_SORTS(, detail::arrayOf(key), nullptr, K& key)
  LATHE_ROCPRIM_SORTS(LATHE_ROCPRIM_ITEMS, keys, nullptr, K (&keys)[Items])
  LATHE_ROCPRIM_SORTS(, detail::arrayOf(key), detail::arrayOf(value), K& key, V& value)
  LATHE_ROCPRIM_SORTS(LATHE_ROCPRIM_ITEMS, keys, values, K (&keys)[Items], V (&values)[Items])
#undef LATHE_ROCPRIM_ITEMS
#undef LATHE_ROCPRIM_SORTS

 private:
  template <unsigned Items, class Values, class Op>
  LATHE_INLINE static void sorted(K (&keys)[Items], Values&& values, Op below) {
    const Lanes group(hipcub::detail::threadOfBlock(), hipcub::detail::threadsOfBlock());
    if constexpr (__is_same(__remove_cvref(Values), decltype(nullptr))) {
      hipcub::NullType none[Items];
      sorted(keys, none, group, below);
    } else {
      sorted(keys, values, group, below);
    }
  }
  template <unsigned Items, class Values, class Op>
  LATHE_INLINE static void sorted(K (&keys)[Items], Values& values, const Lanes& group, Op below) {
    hipcub::StableOddEvenSort(keys, values, below);
    for (int run = 1; run < static_cast<int>(Width); run *= 2) {
      // The first lane of the lower run meets the last of the upper one; then halves of halves meet.
      merge(keys, values, group, group.lane ^ (2 * run - 1), below);
      for (int distance = run / 2; distance > 0; distance /= 2)
        merge(keys, values, group, group.lane ^ distance, below);
    }
  }
  /// A lane that the block has not counts as one whose items are all behind the others.
  template <unsigned Items, class Values, class Op>
  LATHE_INLINE static void merge(K (&keys)[Items], Values& values, const Lanes& group, int other, Op below) {
    constexpr bool pairs = !__is_same(decltype(values), hipcub::NullType(&)[Items]);
    const bool lower = group.lane < other, exists = other < group.count;
    const int from = exists ? other : group.lane;
    detail::Copied oldKeys(keys);
    detail::Copied oldValues(values);
    for (unsigned i = 0; i < Items; ++i) {
      // Each pair of items is compared by both lanes, which come to the same result.
      const unsigned theirs = Items - 1 - i;
      const K key = group.fromLane(oldKeys.items()[theirs], from);
      const bool taken = exists && (lower ? below(key, keys[i]) : below(keys[i], key));
      if (taken) keys[i] = key;
      if constexpr (pairs) {
        const auto value = group.fromLane(oldValues.items()[theirs], from);
        if (taken) values[i] = value;
      }
    }
    hipcub::StableOddEvenSort(keys, values, below);
  }
};

}  // namespace rocprim

#endif
