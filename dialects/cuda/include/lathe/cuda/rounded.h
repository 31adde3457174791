// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic whose name says how it rounds (__fadd_rn, __dmul_rz): never fused with a neighbour into a multiply-add,
// and exact to the last bit in each direction, for results out of the normal range too. A directed result is the
// nearest one, or its neighbour where an exact remainder tells that the nearest is on the wrong side. The remainders of
// floats are found in double, which holds their products; those of doubles in error terms (Knuth's sum, fma), scaled
// where the term would fall below the smallest number.
#ifndef LATHE_CUDA_ROUNDED_H
#define LATHE_CUDA_ROUNDED_H

#include <lathe/cuda/qualifiers.h>

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
LATHE_INLINE float __frsqrt_rn(float x) {
  return static_cast<float>(1 / sqrt(static_cast<double>(x)));
}

namespace lathe::detail {
/// x + y = sum + error.
struct ExactSum {
  double sum, error;
};
LATHE_INLINE ExactSum exactSum(double x, double y) {
  _Pragma("clang fp contract(off) reassociate(off)") const double sum = x + y, z = sum - x;
  return {sum, (x - (sum - z)) + (y - z)};
}
/// The sign of sum + error - r where error is below the last place of sum.
LATHE_INLINE double beyond(ExactSum exact, double r) {
  return exact.sum == r ? exact.error : exact.sum > r ? 1 : exact.sum < r ? -1 : 0;
}
LATHE_INLINE double signOf(double x, double y) {
  return __builtin_copysign(1, x) * __builtin_copysign(1, y);
}

// On which side of r the exact result is: positive where it is larger.
LATHE_INLINE double beyondSum(double x, double y, double r) {
  if (__builtin_isinf(r)) return __builtin_isfinite(x) && __builtin_isfinite(y) ? -r : 0;
  return exactSum(x, y).error;
}
LATHE_INLINE double beyondProduct(double x, double y, double r) {
  if (r == 0) return x == 0 || y == 0 ? 0 : signOf(x, y);
  if (!(__builtin_fabs(r) < 0x1p-900)) return fma(x, y, -r);
  const bool first = __builtin_fabs(x) < __builtin_fabs(y);
  return fma((first ? x : y) * 0x1p600, first ? y : x, -r * 0x1p600);
}
LATHE_INLINE double beyondQuotient(double x, double y, double r) {
  if (r == 0) return x == 0 || __builtin_isinf(y) ? 0 : signOf(x, y);
  const double scale = __builtin_fabs(x) < 0x1p-900 ? 0x1p600 : 1;
  return fma(-r, y * scale, x * scale) * __builtin_copysign(1, y);
}
LATHE_INLINE double beyondRoot(double x, double r) {
  return x < 0x1p-900 ? fma(-r * 0x1p300, r * 0x1p300, x * 0x1p600) : fma(-r, r, x);
}
/// The sign of x y + z - r by adding up the exact parts of all four.
LATHE_INLINE double beyondFused(double x, double y, double z, double r) {
  _Pragma("clang fp contract(off) reassociate(off)") if (z == 0) return beyondProduct(x, y, r);
  if (__builtin_isinf(r)) return __builtin_isfinite(x) && __builtin_isfinite(y) && __builtin_isfinite(z) ? -r : 0;
  double product = x * y;
  const bool large = !(__builtin_fabs(product) < 0x1p1000);
  if (large || (__builtin_fabs(product) < 0x1p-900 && __builtin_fabs(z) < 0x1p-800)) {
    const double scale = large ? 0x1p-600 : 0x1p600;
    // The factor that scaling does not take out of range.
    ((__builtin_fabs(x) < __builtin_fabs(y)) != large ? x : y) *= scale;
    z *= scale, r *= scale, product = x * y;
  }
  if (product == 0 && x != 0 && y != 0) product = signOf(x, y) * 0x1p-1074;
  const ExactSum sum = exactSum(product, z), rest = exactSum(sum.sum, -r);
  const ExactSum low = exactSum(sum.error, __builtin_fabs(product) < 0x1p-960 ? 0 : fma(x, y, -product));
  const ExactSum all = exactSum(rest.sum, low.sum);
  return all.sum != 0 ? all.sum : all.error + rest.error + low.error;
}
}  // namespace lathe::detail

// `zero`: what a result of nothing is rounded down.
#define LATHE_CUDA_DIRECTED(name, real, f, parameters, nearest, exact, zero)          \
  LATHE_INLINE real name##_rd parameters {                                            \
    const real r = nearest;                                                           \
    if (r == 0 && (exact) == 0) return zero;                                          \
    return (exact) < 0 ? nextafter##f(r, -__builtin_huge_val##f()) : r;               \
  }                                                                                   \
  LATHE_INLINE real name##_ru parameters {                                            \
    const real r = nearest;                                                           \
    return (exact) > 0 ? nextafter##f(r, __builtin_huge_val##f()) : r;                \
  }                                                                                   \
  LATHE_INLINE real name##_rz parameters {                                            \
    const real r = nearest;                                                           \
    return (r > 0 && (exact) < 0) || (r < 0 && (exact) > 0) ? nextafter##f(r, 0) : r; \
  }
#define LATHE_CUDA_FLOAT(name, parameters, nearest, exact, zero) \
  LATHE_CUDA_DIRECTED(__f##name, float, f, parameters, nearest, exact, zero)
#define LATHE_CUDA_DOUBLE(name, parameters, nearest, exact, zero) \
  LATHE_CUDA_DIRECTED(name, double, , parameters, nearest, exact, zero)
LATHE_CUDA_FLOAT(add, (float x, float y), __fadd_rn(x, y), lathe::detail::beyond(lathe::detail::exactSum(x, y), r),
                 __builtin_signbit(x) || __builtin_signbit(y) ? -0.0f : r)
LATHE_CUDA_FLOAT(sub, (float x, float y), __fsub_rn(x, y), lathe::detail::beyond(lathe::detail::exactSum(x, -y), r),
                 __builtin_signbit(x) || !__builtin_signbit(y) ? -0.0f : r)
LATHE_CUDA_FLOAT(mul, (float x, float y), __fmul_rn(x, y),
                 lathe::detail::beyond({static_cast<double>(x) * static_cast<double>(y), 0}, r), r)
LATHE_CUDA_FLOAT(div, (float x, float y), __fdiv_rn(x, y),
                 r == 0 ? lathe::detail::beyondQuotient(x, y, r)
                        : (x - static_cast<double>(r) * static_cast<double>(y)) * __builtin_copysign(1, y),
                 r)
LATHE_CUDA_FLOAT(rcp, (float x), __frcp_rn(x),
                 (1 - static_cast<double>(r) * static_cast<double>(x)) * __builtin_copysign(1, x), r)
LATHE_CUDA_FLOAT(sqrt, (float x), __fsqrt_rn(x), x - static_cast<double>(r) * static_cast<double>(r), r)
LATHE_CUDA_FLOAT(maf, (float x, float y, float z), __fmaf_rn(x, y, z),
                 lathe::detail::beyond(lathe::detail::exactSum(static_cast<double>(x) * static_cast<double>(y), z), r),
                 lathe::detail::signOf(x, y) < 0 || __builtin_signbit(z) ? -0.0f : r)
LATHE_CUDA_DOUBLE(__dadd, (double x, double y), __dadd_rn(x, y), lathe::detail::beyondSum(x, y, r),
                  __builtin_signbit(x) || __builtin_signbit(y) ? -0.0 : r)
LATHE_CUDA_DOUBLE(__dsub, (double x, double y), __dsub_rn(x, y), lathe::detail::beyondSum(x, -y, r),
                  __builtin_signbit(x) || !__builtin_signbit(y) ? -0.0 : r)
LATHE_CUDA_DOUBLE(__dmul, (double x, double y), __dmul_rn(x, y), lathe::detail::beyondProduct(x, y, r), r)
LATHE_CUDA_DOUBLE(__ddiv, (double x, double y), __ddiv_rn(x, y), lathe::detail::beyondQuotient(x, y, r), r)
LATHE_CUDA_DOUBLE(__drcp, (double x), __drcp_rn(x), lathe::detail::beyondQuotient(1, x, r), r)
LATHE_CUDA_DOUBLE(__dsqrt, (double x), __dsqrt_rn(x), lathe::detail::beyondRoot(x, r), r)
LATHE_CUDA_DOUBLE(__fma, (double x, double y, double z), __fma_rn(x, y, z), lathe::detail::beyondFused(x, y, z, r),
                  lathe::detail::signOf(x, y) < 0 || __builtin_signbit(z) ? -0.0 : r)
#undef LATHE_CUDA_DIRECTED
#undef LATHE_CUDA_FLOAT
#undef LATHE_CUDA_DOUBLE

#endif
