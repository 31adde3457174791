// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half: IEEE 754's binary16.
#ifndef LATHE_CUDA_FP16_H
#define LATHE_CUDA_FP16_H

#include <lathe/cuda/prelude.h>
#include <lathe/device/atomic.h>

namespace lathe::detail {
/// A rounding of its own: with contraction, one of a double to a float and this one would become one.
LATHE_CUDA_BOTH _Float16 roundToHalf(float x) {
  _Pragma("clang fp contract(off)") return static_cast<_Float16>(x);
}
/// By the approximate reciprocal and one step of Newton's: a half's quotient is at least 2^-23 of itself away from what
/// would round the other way, if it is not that number itself, and then the step finds it. The step of what is not
/// finite, or of a quotient by it, is not a number.
LATHE_CUDA_BOTH float quotientOfHalves(float x, float y) {
  if (!__lathe_target_is("cuda")) return x / y;
  float reciprocal;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(y));
  const float quotient = x * reciprocal;
  const float exacter = __builtin_fmaf(reciprocal, __builtin_fmaf(-y, quotient, x), quotient);
  // Nor does the step keep the sign of a zero.
  return exacter == exacter && exacter != 0 ? exacter : quotient;
}
/// The sine of x for `quadrant` 0, the cosine for 1. x is reduced by multiples of pi/2 in two parts (Cody and Waite: a half
/// makes 41,700 of them at most, which is far below what two parts are exact for), and a polynomial in the square of the rest
/// (interpolated at Chebyshev's nodes; 2^-17 of the sine, 2^-22 of the cosine) is read off with the quadrant's coefficients.
LATHE_CUDA_BOTH float sineOfHalf(float x, unsigned quadrant) {
  constexpr float rounder = 0x1.8p23f;  // what is added to it loses its fraction, and is the lower bits as a whole number
  const float shifted = __builtin_fmaf(x, 0.636619772f, rounder);
  const float multiple = shifted - rounder;
  quadrant += __builtin_bit_cast(unsigned, shifted);
  float rest = __builtin_fmaf(multiple, -1.57079637f, x);
  rest = __builtin_fmaf(multiple, 4.37113901e-8f, rest);
  const float square = rest * rest;
  const bool isCosine = quadrant & 1;
  float sum = __builtin_fmaf(isCosine ? -0.00136607146f : 0.0f, square, isCosine ? 0.0416613885f : 0.00821161456f);
  sum = __builtin_fmaf(sum, square, isCosine ? -0.499999821f : -0.166657269f);
  const float value = __builtin_fmaf(sum, square, 1.0f) * (isCosine ? 1.0f : rest);
  const float out = __builtin_bit_cast(float, __builtin_bit_cast(unsigned, value) ^ (quadrant & 2) << 30);
  return !isCosine && rest == 0 ? x : out;  // the sign of a zero
}
}  // namespace lathe::detail

#define LATHE_SMALL __half
#define LATHE_SMALL2 __half2
#define LATHE_SMALL_HOST "lathe.half"
#define LATHE_SMALL_NATIVE _Float16
#define LATHE_SMALL_COMPUTE _Float16
#define LATHE_SMALL_PAIR lathe::half2
#define LATHE_SMALL_ROUND(x) lathe::detail::roundToHalf(x)
#define LATHE_SMALL_WIDEN(x) static_cast<float>(x)
#define LATHE_SMALL_DIRECT true
#define LATHE_SMALL_QUOTIENT lathe::detail::quotientOfHalves
#define LATHE_SMALL_TANH tanhf
#define LATHE_SMALL_SINE(x) (__lathe_target_is("cuda") ? lathe::detail::sineOfHalf(x, 0) : sinf(x))
#define LATHE_SMALL_COSINE(x) (__lathe_target_is("cuda") ? lathe::detail::sineOfHalf(x, 1) : cosf(x))
#define LATHE_SMALL_PTX "f16"
#define LATHE_SMALL_TO_BYTE(type) "cvt.rzi." type ".f16 %0, %1;"
#define LATHE_SMALL_CONVERTED_SINCE 53
#define LATHE_SMALL_FROM_DOUBLE_SINCE 53
#define LATHE_SMALL_SATURATED_SINCE 53
#define LATHE_SMALL_FLUSHES ".ftz"
#define LATHE_SMALL_NAME half
#define LATHE_SMALL_NAME2 half2
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define LATHE_SMALL_NO_CONVERSIONS
#endif
#ifdef __CUDA_NO_HALF_OPERATORS__
#define LATHE_SMALL_NO_OPERATORS
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define LATHE_SMALL_NO_PAIR_OPERATORS
#endif
#include <lathe/cuda/small_float.inc>

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
#define __CUDA_FP16_TYPES_EXIST__
#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)

#endif
