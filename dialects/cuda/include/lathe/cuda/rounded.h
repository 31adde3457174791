// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic whose name says that it rounds to nearest (__fadd_rn, __dmul_rn): never fused with a neighbour into a
// multiply-add, and exact whatever --fast-math permits elsewhere. directed_rounding.h has the other directions.
#ifndef LATHE_CUDA_ROUNDED_H
#define LATHE_CUDA_ROUNDED_H

#include <lathe/cuda/qualifiers.h>

#pragma clang attribute push(__attribute__((annotate("lathe.exact"))), apply_to = function)

#define LATHE_CUDA_ROUNDED(name, real, op)           \
  LATHE_INLINE real name(real x, real y) {           \
    _Pragma("clang fp contract(off)") return x op y; \
  }
LATHE_CUDA_ROUNDED(__fadd_rn, float, +)
LATHE_CUDA_ROUNDED(__fsub_rn, float, -)
LATHE_CUDA_ROUNDED(__fmul_rn, float, *)
LATHE_CUDA_ROUNDED(__fdiv_rn, float, /)
LATHE_CUDA_ROUNDED(__dadd_rn, double, +)
LATHE_CUDA_ROUNDED(__dsub_rn, double, -)
LATHE_CUDA_ROUNDED(__dmul_rn, double, *)
LATHE_CUDA_ROUNDED(__ddiv_rn, double, /)
#undef LATHE_CUDA_ROUNDED
LATHE_INLINE float __fmaf_rn(float x, float y, float z) {
  return fmaf(x, y, z);
}
LATHE_INLINE double __fma_rn(double x, double y, double z) {
  return fma(x, y, z);
}
LATHE_INLINE float __frcp_rn(float x) {
  return __fdiv_rn(1, x);
}
LATHE_INLINE double __drcp_rn(double x) {
  return __ddiv_rn(1, x);
}
LATHE_INLINE float __fsqrt_rn(float x) {
  return sqrtf(x);
}
LATHE_INLINE double __dsqrt_rn(double x) {
  return sqrt(x);
}
/// With PTX by the approximate root, whose error the series of (1 - e)^(-1/2) takes away. That gives the nearest number
/// for every mantissa if the approximation is as good as the PTX ISA says (2^-22.9). The error of 0 and of what is not
/// finite is not a number, and the approximation exact.
LATHE_INLINE float __frsqrt_rn(float x) {
  if (__lathe_target_is("cuda")) {
    const bool isSmall = x < 0x1p-100f;
    const float scaled = isSmall ? x * 0x1p48f : x;
    float near;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(scaled));
    const float product = __fmul_rn(scaled, near), rest = fmaf(scaled, near, -product);
    const float error = fmaf(-rest, near, fmaf(-product, near, 1.0f));
    const float root = fmaf(__fmul_rn(near, error), fmaf(0.375f, error, 0.5f), near);
    return (root == root ? root : near) * (isSmall ? 0x1p24f : 1.0f);
  }
  return static_cast<float>(1 / sqrt(static_cast<double>(x)));
}
#pragma clang attribute pop

#endif
