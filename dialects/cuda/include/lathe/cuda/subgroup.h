// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions: shuffles, votes, __syncwarp. The device ABI moves 32 bits; wider values travel as two halves.
#ifndef LATHE_CUDA_SUBGROUP_H
#define LATHE_CUDA_SUBGROUP_H

#include <lathe/cuda/builtins.h>

namespace lathe::detail {

/// The thread's place in its warp, below warpSize.
LATHE_INLINE unsigned laneOfWarp() {
  return __lathe_subgroup_item_id() & (8 * sizeof(WarpMask) - 1);
}
LATHE_INLINE int countOf(WarpMask threads) {
  return __builtin_popcountg(threads);
}
/// The lowest thread of a set that is not empty.
LATHE_INLINE int firstOf(WarpMask threads) {
  return __builtin_ctzg(threads);
}

/// The items that the device ABI names, of threads of a warp; a subgroup of 64 items may be two warps.
LATHE_INLINE unsigned long long itemsOf(WarpMask threads) {
  if (sizeof(WarpMask) == 4 && __lathe_subgroup_size() > 32)
    return static_cast<unsigned long long>(threads) << (__lathe_subgroup_item_id() & 32);
  return threads;
}
LATHE_INLINE WarpMask threadsOf(unsigned long long items) {
  if (sizeof(WarpMask) == 4 && __lathe_subgroup_size() > 32) items >>= __lathe_subgroup_item_id() & 32;
  return static_cast<WarpMask>(items);
}

}  // namespace lathe::detail

LATHE_INLINE void __syncwarp(lathe::detail::WarpMask mask = lathe::detail::wholeWarp) {
  __lathe_subgroup_barrier(lathe::detail::itemsOf(mask));
}
LATHE_INLINE lathe::detail::WarpMask __activemask() {
  return lathe::detail::threadsOf(__lathe_active_mask());
}
LATHE_INLINE int __all_sync(lathe::detail::WarpMask mask, int predicate) {
  return static_cast<int>(__lathe_vote_all(lathe::detail::itemsOf(mask), predicate != 0));
}
LATHE_INLINE int __any_sync(lathe::detail::WarpMask mask, int predicate) {
  return static_cast<int>(__lathe_vote_any(lathe::detail::itemsOf(mask), predicate != 0));
}
LATHE_INLINE lathe::detail::WarpMask __ballot_sync(lathe::detail::WarpMask mask, int predicate) {
  return lathe::detail::threadsOf(__lathe_ballot(lathe::detail::itemsOf(mask), predicate != 0));
}

// What the functions do, for all types. CUDA's own types have functions that are no templates, as CUDA has them, and
// other types a template of any mask, so that a program's template of the same name is never preferred to the first and
// always to the second.
#define LATHE_CUDA_SHUFFLE(name, entry, selector)                                                             \
  template <class T>                                                                                          \
  LATHE_INLINE T name(WarpMask mask, T value, selector from, int width) {                                     \
    static_assert(__is_trivially_copyable(T) && sizeof(T) <= 32, "a shuffle moves at most 32 bytes");         \
    if constexpr (sizeof(T) == 16) {                                                                          \
      struct Halves {                                                                                         \
        unsigned long a, b;                                                                                   \
      };                                                                                                      \
      const auto bits = __builtin_bit_cast(Halves, value);                                                    \
      return __builtin_bit_cast(T, Halves{name(mask, bits.a, from, width), name(mask, bits.b, from, width)}); \
    } else if constexpr (sizeof(T) == 8) {                                                                    \
      const auto bits = __builtin_bit_cast(unsigned long, value);                                             \
      const unsigned low = name(mask, static_cast<unsigned>(bits), from, width);                              \
      const unsigned high = name(mask, static_cast<unsigned>(bits >> 32), from, width);                       \
      return __builtin_bit_cast(T, static_cast<unsigned long>(high) << 32 | low);                             \
    } else if constexpr (sizeof(T) == 4) {                                                                    \
      const unsigned bits = __builtin_bit_cast(unsigned, value);                                              \
      const auto item = static_cast<unsigned>(from), items = static_cast<unsigned>(width);                    \
      return __builtin_bit_cast(T, __lathe_##entry(itemsOf(mask), bits, item, items));                        \
    } else if constexpr (sizeof(T) == 2) {                                                                    \
      const unsigned bits = __builtin_bit_cast(unsigned short, value);                                        \
      return __builtin_bit_cast(T, static_cast<unsigned short>(name(mask, bits, from, width)));               \
    } else if constexpr (sizeof(T) == 1) {                                                                    \
      const unsigned bits = __builtin_bit_cast(unsigned char, value);                                         \
      return __builtin_bit_cast(T, static_cast<unsigned char>(name(mask, bits, from, width)));                \
    } else {                                                                                                  \
      /* As the methods of cooperative groups. */                                                             \
      struct Bytes {                                                                                          \
        unsigned char bytes[sizeof(T)];                                                                       \
      };                                                                                                      \
      auto bytes = __builtin_bit_cast(Bytes, value);                                                          \
      unsigned words[(sizeof(T) + 3) / 4] = {};                                                               \
      __builtin_memcpy(words, &bytes, sizeof(T));                                                             \
      _Pragma("unroll") for (unsigned& word : words) word = name(mask, word, from, width);                    \
      __builtin_memcpy(&bytes, words, sizeof(T));                                                             \
      return __builtin_bit_cast(T, bytes);                                                                    \
    }                                                                                                         \
  }
#define LATHE_CUDA_SHUFFLE_OF(name, type, selector)                                                       \
  LATHE_INLINE type name(lathe::detail::WarpMask mask, type value, selector from, int width = warpSize) { \
    return lathe::detail::name(mask, value, from, width);                                                 \
  }
#define LATHE_CUDA_SHUFFLES(name, entry, selector)                                              \
  namespace lathe::detail {                                                                     \
  LATHE_CUDA_SHUFFLE(name, entry, selector)                                                     \
  }                                                                                             \
  template <class T, class Mask>                                                                \
  LATHE_INLINE T name(Mask mask, T value, selector from, int width = warpSize) {                \
    return lathe::detail::name(static_cast<lathe::detail::WarpMask>(mask), value, from, width); \
  }                                                                                             \
  LATHE_CUDA_SHUFFLE_OF(name, int, selector)                                                    \
  LATHE_CUDA_SHUFFLE_OF(name, unsigned, selector)                                               \
  LATHE_CUDA_SHUFFLE_OF(name, long, selector)                                                   \
  LATHE_CUDA_SHUFFLE_OF(name, unsigned long, selector)                                          \
  LATHE_CUDA_SHUFFLE_OF(name, long long, selector)                                              \
  LATHE_CUDA_SHUFFLE_OF(name, unsigned long long, selector)                                     \
  LATHE_CUDA_SHUFFLE_OF(name, float, selector)                                                  \
  LATHE_CUDA_SHUFFLE_OF(name, double, selector)
LATHE_CUDA_SHUFFLES(__shfl_sync, shuffle_i32, int)
LATHE_CUDA_SHUFFLES(__shfl_up_sync, shuffle_up_i32, unsigned)
LATHE_CUDA_SHUFFLES(__shfl_down_sync, shuffle_down_i32, unsigned)
LATHE_CUDA_SHUFFLES(__shfl_xor_sync, shuffle_xor_i32, int)
#undef LATHE_CUDA_SHUFFLES
#undef LATHE_CUDA_SHUFFLE_OF
#undef LATHE_CUDA_SHUFFLE

// The forms without a mask are those of CUDA before 9: all items of the warp that are here. Programs may have functions
// of these names and any types.
#define LATHE_CUDA_SHUFFLE(name)                                  \
  template <class T, class From>                                  \
  LATHE_INLINE T name(T value, From from, int width = warpSize) { \
    return name##_sync(__activemask(), value, from, width);       \
  }
LATHE_CUDA_SHUFFLE(__shfl)
LATHE_CUDA_SHUFFLE(__shfl_up)
LATHE_CUDA_SHUFFLE(__shfl_down)
LATHE_CUDA_SHUFFLE(__shfl_xor)
#undef LATHE_CUDA_SHUFFLE
LATHE_INLINE int __all(int predicate) {
  return __all_sync(__activemask(), predicate);
}
LATHE_INLINE int __any(int predicate) {
  return __any_sync(__activemask(), predicate);
}
LATHE_INLINE lathe::detail::WarpMask __ballot(int predicate) {
  return __ballot_sync(__activemask(), predicate);
}
LATHE_INLINE int __uni_sync(lathe::detail::WarpMask mask, int predicate) {
  return __all_sync(mask, predicate) || !__any_sync(mask, predicate);
}

// By their bits, as the hardware compares. Items that have returned have no part.
#define LATHE_CUDA_MATCH(name, entry)                                                      \
  template <class T>                                                                       \
  LATHE_INLINE lathe::detail::WarpMask name(lathe::detail::WarpMask mask, T value) {       \
    static_assert(sizeof(T) <= 8, "a match compares at most 8 bytes");                     \
    const unsigned long long items = lathe::detail::itemsOf(mask);                         \
    unsigned long long same = 0;                                                           \
    if constexpr (sizeof(T) == 8)                                                          \
      same = __lathe_##entry##_i64(items, __builtin_bit_cast(unsigned long long, value));  \
    else if constexpr (sizeof(T) == 4)                                                     \
      same = __lathe_##entry##_i32(items, __builtin_bit_cast(unsigned, value));            \
    else                                                                                   \
      same = __lathe_##entry##_i32(items, static_cast<unsigned>(static_cast<int>(value))); \
    return lathe::detail::threadsOf(same);                                                 \
  }
namespace lathe::detail {
LATHE_CUDA_MATCH(matchAll, match_all)
}  // namespace lathe::detail
/// The items of the mask whose value equals the caller's.
LATHE_CUDA_MATCH(__match_any_sync, match_any)
#undef LATHE_CUDA_MATCH
/// The mask's items if all hold the same value, else 0; `all` tells which.
template <class T>
LATHE_INLINE lathe::detail::WarpMask __match_all_sync(lathe::detail::WarpMask mask, T value, int* all) {
  const lathe::detail::WarpMask items = lathe::detail::matchAll(mask, value);
  *all = items != 0;
  return items;
}

#define LATHE_CUDA_REDUCE(name, type, entry)                                                       \
  LATHE_INLINE type name(lathe::detail::WarpMask mask, type value) {                               \
    return static_cast<type>(                                                                      \
        __lathe_reduce_##entry##_i32(lathe::detail::itemsOf(mask), static_cast<unsigned>(value))); \
  }
LATHE_CUDA_REDUCE(__reduce_add_sync, unsigned, add)
LATHE_CUDA_REDUCE(__reduce_min_sync, unsigned, umin)
LATHE_CUDA_REDUCE(__reduce_max_sync, unsigned, umax)
LATHE_CUDA_REDUCE(__reduce_and_sync, unsigned, and)
LATHE_CUDA_REDUCE(__reduce_or_sync, unsigned, or)
LATHE_CUDA_REDUCE(__reduce_xor_sync, unsigned, xor)
LATHE_CUDA_REDUCE(__reduce_add_sync, int, add)
LATHE_CUDA_REDUCE(__reduce_min_sync, int, min)
LATHE_CUDA_REDUCE(__reduce_max_sync, int, max)
#undef LATHE_CUDA_REDUCE

#endif
