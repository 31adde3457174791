// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions: shuffles, votes, __syncwarp. The device ABI moves 32 bits; wider values travel as two halves.
#ifndef LATHE_CUDA_SUBGROUP_H
#define LATHE_CUDA_SUBGROUP_H

#include <lathe/cuda/builtins.h>

LATHE_INLINE void __syncwarp(unsigned mask = 0xffffffffu) {
  __lathe_subgroup_barrier(mask);
}
LATHE_INLINE unsigned __activemask() {
  return __lathe_active_mask();
}
LATHE_INLINE int __all_sync(unsigned mask, int predicate) {
  return static_cast<int>(__lathe_vote_all(mask, predicate != 0));
}
LATHE_INLINE int __any_sync(unsigned mask, int predicate) {
  return static_cast<int>(__lathe_vote_any(mask, predicate != 0));
}
LATHE_INLINE unsigned __ballot_sync(unsigned mask, int predicate) {
  return __lathe_ballot(mask, predicate != 0);
}

// One template for all types of a function: the fewer functions, the faster every compile.
#define LATHE_CUDA_SHUFFLE(name, entry, selector)                                                         \
  template <class T>                                                                                      \
  LATHE_INLINE T name(unsigned mask, T value, selector from, int width = warpSize) {                      \
    static_assert(__is_arithmetic(T), "a shuffle moves numbers; move the members of a class one by one"); \
    if constexpr (sizeof(T) == 8) {                                                                       \
      const auto bits = __builtin_bit_cast(unsigned long, value);                                         \
      const unsigned low = name(mask, static_cast<unsigned>(bits), from, width);                          \
      const unsigned high = name(mask, static_cast<unsigned>(bits >> 32), from, width);                   \
      return __builtin_bit_cast(T, static_cast<unsigned long>(high) << 32 | low);                         \
    } else if constexpr (sizeof(T) == 4) {                                                                \
      const unsigned bits = __builtin_bit_cast(unsigned, value);                                          \
      const auto item = static_cast<unsigned>(from), items = static_cast<unsigned>(width);                \
      return __builtin_bit_cast(T, __lathe_##entry(mask, bits, item, items));                             \
    } else {                                                                                              \
      return static_cast<T>(name(mask, static_cast<unsigned>(value), from, width));                       \
    }                                                                                                     \
  }
LATHE_CUDA_SHUFFLE(__shfl_sync, shuffle_i32, int)
LATHE_CUDA_SHUFFLE(__shfl_up_sync, shuffle_up_i32, unsigned)
LATHE_CUDA_SHUFFLE(__shfl_down_sync, shuffle_down_i32, unsigned)
LATHE_CUDA_SHUFFLE(__shfl_xor_sync, shuffle_xor_i32, int)
#undef LATHE_CUDA_SHUFFLE

#endif
