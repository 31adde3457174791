// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's complex numbers for C: float2 and double2 with functions. Division and absolute value scale first, so that
// they neither overflow nor underflow on the way.
#ifndef LATHE_CUDA_COMPLEX_H
#define LATHE_CUDA_COMPLEX_H

#include <lathe/cuda/prelude.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define LATHE_COMPLEX(T, number, suffix, make, magnitude, length)                        \
  LATHE_CUDA_BOTH T make(number real, number imaginary) {                                \
    return {real, imaginary};                                                            \
  }                                                                                      \
  LATHE_CUDA_BOTH number cuCreal##suffix(T z) {                                          \
    return z.x;                                                                          \
  }                                                                                      \
  LATHE_CUDA_BOTH number cuCimag##suffix(T z) {                                          \
    return z.y;                                                                          \
  }                                                                                      \
  LATHE_CUDA_BOTH T cuConj##suffix(T z) {                                                \
    return {z.x, -z.y};                                                                  \
  }                                                                                      \
  LATHE_CUDA_BOTH T cuCadd##suffix(T a, T b) {                                           \
    return {a.x + b.x, a.y + b.y};                                                       \
  }                                                                                      \
  LATHE_CUDA_BOTH T cuCsub##suffix(T a, T b) {                                           \
    return {a.x - b.x, a.y - b.y};                                                       \
  }                                                                                      \
  LATHE_CUDA_BOTH T cuCmul##suffix(T a, T b) {                                           \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                               \
  }                                                                                      \
  LATHE_CUDA_BOTH T cuCdiv##suffix(T a, T b) {                                           \
    const number scale = 1 / (magnitude(b.x) + magnitude(b.y));                          \
    const number ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale; \
    const number square = 1 / (bx * bx + by * by);                                       \
    return {(ax * bx + ay * by) * square, (ay * bx - ax * by) * square};                 \
  }                                                                                      \
  LATHE_CUDA_BOTH number cuCabs##suffix(T z) {                                           \
    return length(z.x, z.y);                                                             \
  }                                                                                      \
  LATHE_CUDA_BOTH T cuCfma##suffix(T a, T b, T c) {                                      \
    const number real = a.x * b.x + c.x, imaginary = a.x * b.y + c.y;                    \
    return {real - a.y * b.y, a.y * b.x + imaginary};                                    \
  }
LATHE_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, fabsf, hypotf)
LATHE_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, fabs, hypot)
#undef LATHE_COMPLEX

LATHE_CUDA_BOTH cuComplex make_cuComplex(float real, float imaginary) {
  return {real, imaginary};
}
LATHE_CUDA_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return {z.x, z.y};
}
LATHE_CUDA_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return {static_cast<float>(z.x), static_cast<float>(z.y)};
}

#endif
