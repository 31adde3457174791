// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions for dynamic programming (CUDA Math API, "DPX"): minima and maxima of three numbers or of a sum and a
// number, of words and of the two halves of a word. …_relu is at least zero. Sums wrap around.
#ifndef LATHE_CUDA_DYNAMIC_PROGRAMMING_H
#define LATHE_CUDA_DYNAMIC_PROGRAMMING_H

#include <lathe/cuda/simd_words.h>

// In `expression`, x, y and z are the operands.
#define LATHE_CUDA_DPX_WORD(name, lane, expression)                  \
  LATHE_INLINE lane name(const lane x, const lane y, const lane z) { \
    return expression;                                               \
  }
#define LATHE_CUDA_DPX_LARGER(a, b) ((a) < (b) ? (b) : (a))
#define LATHE_CUDA_DPX_SMALLER(a, b) ((b) < (a) ? (b) : (a))

#define LATHE_CUDA_DPX(suffix, lane)                                                                     \
  LATHE_CUDA_DPX_WORD(                                                                                   \
      __viaddmax_##suffix, lane,                                                                         \
      LATHE_CUDA_DPX_LARGER(static_cast<lane>(static_cast<unsigned>(x) + static_cast<unsigned>(y)), z))  \
  LATHE_CUDA_DPX_WORD(                                                                                   \
      __viaddmin_##suffix, lane,                                                                         \
      LATHE_CUDA_DPX_SMALLER(static_cast<lane>(static_cast<unsigned>(x) + static_cast<unsigned>(y)), z)) \
  LATHE_CUDA_DPX_WORD(__vimax3_##suffix, lane, LATHE_CUDA_DPX_LARGER(LATHE_CUDA_DPX_LARGER(x, y), z))    \
  LATHE_CUDA_DPX_WORD(__vimin3_##suffix, lane, LATHE_CUDA_DPX_SMALLER(LATHE_CUDA_DPX_SMALLER(x, y), z))
LATHE_CUDA_DPX(s32, int)
LATHE_CUDA_DPX(u32, unsigned)
#undef LATHE_CUDA_DPX
#define LATHE_CUDA_DPX(suffix, sign)                                                          \
  LATHE_CUDA_DPX_WORD(__viaddmax_##suffix, unsigned, __vmax##sign##2(__vadd2(x, y), z))       \
  LATHE_CUDA_DPX_WORD(__viaddmin_##suffix, unsigned, __vmin##sign##2(__vadd2(x, y), z))       \
  LATHE_CUDA_DPX_WORD(__vimax3_##suffix, unsigned, __vmax##sign##2(__vmax##sign##2(x, y), z)) \
  LATHE_CUDA_DPX_WORD(__vimin3_##suffix, unsigned, __vmin##sign##2(__vmin##sign##2(x, y), z))
LATHE_CUDA_DPX(s16x2, s)
LATHE_CUDA_DPX(u16x2, u)
#undef LATHE_CUDA_DPX

namespace lathe::detail {
LATHE_INLINE int atLeastZero(int x) {
  return x < 0 ? 0 : x;
}
LATHE_INLINE unsigned halvesAtLeastZero(unsigned x) {
  return __vmaxs2(x, 0);
}
}  // namespace lathe::detail
#define LATHE_CUDA_DPX(name)                                                                      \
  LATHE_INLINE int name##_s32_relu(const int a, const int b, const int c) {                       \
    return lathe::detail::atLeastZero(name##_s32(a, b, c));                                       \
  }                                                                                               \
  LATHE_INLINE unsigned name##_s16x2_relu(const unsigned a, const unsigned b, const unsigned c) { \
    return lathe::detail::halvesAtLeastZero(name##_s16x2(a, b, c));                               \
  }
LATHE_CUDA_DPX(__viaddmax)
LATHE_CUDA_DPX(__viaddmin)
LATHE_CUDA_DPX(__vimax3)
LATHE_CUDA_DPX(__vimin3)
#undef LATHE_CUDA_DPX

// Signed halves by an instruction that says of each whether it is that of a, if they are compared as signed ones.
#define LATHE_CUDA_DPX_HALVES(op)                                                        \
  if (__lathe_target_is("cuda") && __lathe_arch_at_least(90)) {                          \
    unsigned out, isHigh, isLow;                                                         \
    asm("{ .reg .s16 of<4>; .reg .pred is<2>; " #op                                      \
        ".s16x2 %0, %3, %4; mov.b32 {of0, of1}, %0; "                                    \
        "mov.b32 {of2, of3}, %3; setp.eq.s16 is0, of0, of2; setp.eq.s16 is1, of1, of3; " \
        "selp.u32 %1, 1, 0, is1; selp.u32 %2, 1, 0, is0; }"                              \
        : "=&r"(out), "=&r"(isHigh), "=&r"(isLow)                                        \
        : "r"(a), "r"(b));                                                               \
    *high = isHigh != 0;                                                                 \
    *low = isLow != 0;                                                                   \
    return out;                                                                          \
  }
// Of two, which three with one twice are; and which of the two it was.
#define LATHE_CUDA_DPX(op, compare)                                                                                \
  LATHE_INLINE int __vi##op##_s32_relu(const int a, const int b) {                                                 \
    return __vi##op##3_s32_relu(a, b, b);                                                                          \
  }                                                                                                                \
  LATHE_INLINE unsigned __vi##op##_s16x2_relu(const unsigned a, const unsigned b) {                                \
    return __vi##op##3_s16x2_relu(a, b, b);                                                                        \
  }                                                                                                                \
  LATHE_INLINE int __vib##op##_s32(const int a, const int b, bool* const first) {                                  \
    *first = a compare b;                                                                                          \
    return *first ? a : b;                                                                                         \
  }                                                                                                                \
  LATHE_INLINE unsigned __vib##op##_u32(const unsigned a, const unsigned b, bool* const first) {                   \
    *first = a compare b;                                                                                          \
    return *first ? a : b;                                                                                         \
  }                                                                                                                \
  LATHE_INLINE unsigned __vib##op##_s16x2(const unsigned a, const unsigned b, bool* const high, bool* const low) { \
    LATHE_CUDA_DPX_HALVES(op)                                                                                      \
    const unsigned out = __v##op##s2(a, b);                                                                        \
    *high = (out ^ a) < 0x10000;                                                                                   \
    *low = ((out ^ a) & 0xffff) == 0;                                                                              \
    return out;                                                                                                    \
  }                                                                                                                \
  LATHE_INLINE unsigned __vib##op##_u16x2(const unsigned a, const unsigned b, bool* const high, bool* const low) { \
    const unsigned out = __v##op##u2(a, b);                                                                        \
    *high = (out ^ a) < 0x10000;                                                                                   \
    *low = ((out ^ a) & 0xffff) == 0;                                                                              \
    return out;                                                                                                    \
  }
LATHE_CUDA_DPX(max, >=)
LATHE_CUDA_DPX(min, <=)
#undef LATHE_CUDA_DPX
#undef LATHE_CUDA_DPX_HALVES
#undef LATHE_CUDA_DPX_WORD
#undef LATHE_CUDA_DPX_LARGER
#undef LATHE_CUDA_DPX_SMALLER

#endif
