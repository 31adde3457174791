// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's mathematics beyond the C library's: min and max of every pair of types, what C lacks (rsqrtf, sincosf,
// sinpif), arithmetic that is never fused (__fmul_rn), and the approximate functions (__expf), written as the CUDA C++
// Programming Guide defines them, out of the few operations that hardware has instructions for.
#ifndef LATHE_CUDA_MATH_FUNCTIONS_H
#define LATHE_CUDA_MATH_FUNCTIONS_H

#include <lathe/cuda/qualifiers.h>

// CUDA's mathematics may be called from host functions too; besides, Clang makes intrinsics only of those that may.
#pragma push_macro("LATHE_DEVICE")
#undef LATHE_DEVICE
#define LATHE_DEVICE __host__ __device__
#include <lathe/device/math.h>
#pragma pop_macro("LATHE_DEVICE")

// Integers of one width: signed where both are, else unsigned.
#define LATHE_CUDA_MIN_MAX(type)             \
  LATHE_CUDA_BOTH type min(type x, type y) { \
    return x < y ? x : y;                    \
  }                                          \
  LATHE_CUDA_BOTH type max(type x, type y) { \
    return x > y ? x : y;                    \
  }
#define LATHE_CUDA_MIN_MAX_MIXED(type, a, b)                \
  LATHE_CUDA_BOTH type min(a x, b y) {                      \
    return min(static_cast<type>(x), static_cast<type>(y)); \
  }                                                         \
  LATHE_CUDA_BOTH type max(a x, b y) {                      \
    return max(static_cast<type>(x), static_cast<type>(y)); \
  }
#define LATHE_CUDA_MIN_MAX_WIDTH(type)                         \
  LATHE_CUDA_MIN_MAX(type)                                     \
  LATHE_CUDA_MIN_MAX(unsigned type)                            \
  LATHE_CUDA_MIN_MAX_MIXED(unsigned type, unsigned type, type) \
  LATHE_CUDA_MIN_MAX_MIXED(unsigned type, type, unsigned type)
LATHE_CUDA_MIN_MAX_WIDTH(int)
LATHE_CUDA_MIN_MAX_WIDTH(long)
LATHE_CUDA_MIN_MAX_WIDTH(long long)
#undef LATHE_CUDA_MIN_MAX_WIDTH
#undef LATHE_CUDA_MIN_MAX

// Reals: the other operand where one is not a number.
LATHE_CUDA_BOTH float min(float x, float y) {
  return fminf(x, y);
}
LATHE_CUDA_BOTH float max(float x, float y) {
  return fmaxf(x, y);
}
LATHE_CUDA_BOTH double min(double x, double y) {
  return fmin(x, y);
}
LATHE_CUDA_BOTH double max(double x, double y) {
  return fmax(x, y);
}
LATHE_CUDA_MIN_MAX_MIXED(double, float, double)
LATHE_CUDA_MIN_MAX_MIXED(double, double, float)
#undef LATHE_CUDA_MIN_MAX_MIXED

// The names that CUDA gave them before there were overloads.
#define LATHE_CUDA_MIN_MAX(prefix, type)             \
  LATHE_CUDA_BOTH type prefix##min(type x, type y) { \
    return x < y ? x : y;                            \
  }                                                  \
  LATHE_CUDA_BOTH type prefix##max(type x, type y) { \
    return x > y ? x : y;                            \
  }
LATHE_CUDA_MIN_MAX(u, unsigned)
LATHE_CUDA_MIN_MAX(ll, long long)
LATHE_CUDA_MIN_MAX(ull, unsigned long long)
#undef LATHE_CUDA_MIN_MAX

// As in C++, integers count as double where no float decides, and double wins over float: sqrt(2), pow(2, n).
#define LATHE_CUDA_PROMOTE(name)         \
  template <class T>                     \
    requires(__is_integral(T))           \
  LATHE_CUDA_BOTH double name(T x) {     \
    return name(static_cast<double>(x)); \
  }
LATHE_MATH_UNARY(LATHE_CUDA_PROMOTE)
#undef LATHE_CUDA_PROMOTE
#define LATHE_CUDA_PROMOTE(name)                                                                        \
  template <class A, class B>                                                                           \
    requires((__is_integral(A) && __is_integral(B)) || (__is_same(A, float) && __is_same(B, double)) || \
             (__is_same(A, double) && __is_same(B, float)))                                             \
  LATHE_CUDA_BOTH double name(A x, B y) {                                                               \
    return name(static_cast<double>(x), static_cast<double>(y));                                        \
  }
LATHE_MATH_BINARY(LATHE_CUDA_PROMOTE)
#undef LATHE_CUDA_PROMOTE
template <class A, class B, class C>
  requires(__is_arithmetic(A) && __is_arithmetic(B) && __is_arithmetic(C) &&
           !(__is_same(A, float) && __is_same(B, float) && __is_same(C, float)) &&
           !(__is_same(A, double) && __is_same(B, double) && __is_same(C, double)))
LATHE_CUDA_BOTH double fma(A x, B y, C z) {
  return fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}
// The standard's names for them: a using-declaration knows the overloads before it only.
namespace std {
#define LATHE_CUDA_USING(name) using ::name;
LATHE_MATH_UNARY(LATHE_CUDA_USING)
LATHE_MATH_BINARY(LATHE_CUDA_USING)
#undef LATHE_CUDA_USING
using ::fma;
}  // namespace std

#define LATHE_CUDA_REAL_FUNCTIONS(real, f)                                                                    \
  LATHE_CUDA_BOTH real exp10##f(real x) {                                                                     \
    return pow##f(10, x);                                                                                     \
  }                                                                                                           \
  LATHE_CUDA_BOTH real rcbrt##f(real x) {                                                                     \
    return 1 / cbrt##f(x);                                                                                    \
  }                                                                                                           \
  LATHE_CUDA_BOTH real rhypot##f(real x, real y) {                                                            \
    return 1 / hypot##f(x, y);                                                                                \
  }                                                                                                           \
  LATHE_CUDA_BOTH real norm3d##f(real x, real y, real z) {                                                    \
    return hypot##f(hypot##f(x, y), z);                                                                       \
  }                                                                                                           \
  LATHE_CUDA_BOTH real norm4d##f(real x, real y, real z, real w) {                                            \
    return hypot##f(hypot##f(x, y), hypot##f(z, w));                                                          \
  }                                                                                                           \
  LATHE_CUDA_BOTH real rnorm3d##f(real x, real y, real z) {                                                   \
    return 1 / norm3d##f(x, y, z);                                                                            \
  }                                                                                                           \
  LATHE_CUDA_BOTH real rnorm4d##f(real x, real y, real z, real w) {                                           \
    return 1 / norm4d##f(x, y, z, w);                                                                         \
  }                                                                                                           \
  /* erfc of x / -sqrt(2), which two numbers give more exactly than one, by erfc's derivative. */             \
  LATHE_CUDA_BOTH real normcdf##f(real x) {                                                                   \
    const real root = static_cast<real>(-M_SQRT1_2);                                                          \
    const real rest = static_cast<real>(-M_SQRT1_2 - static_cast<double>(root) + 4.833646656726457e-17);      \
    const real high = x * root, low = fma##f(x, rest, fma##f(x, root, -high));                                \
    const real out = erfc##f(high), slope = static_cast<real>(1.1283791670955126) * exp##f(-high * high);     \
    return (slope > 0 ? fma##f(-slope, low, out) : out) / 2;                                                  \
  }                                                                                                           \
  LATHE_CUDA_BOTH real scalbn##f(real x, int exponent) {                                                      \
    return ldexp##f(x, exponent);                                                                             \
  }                                                                                                           \
  LATHE_CUDA_BOTH real modf##f(real x, real* whole) {                                                         \
    *whole = trunc##f(x);                                                                                     \
    return copysign##f(__builtin_isinf(x) ? 0 : x - *whole, x);                                               \
  }                                                                                                           \
  LATHE_CUDA_BOTH long lrint##f(real x) {                                                                     \
    return static_cast<long>(rint##f(x));                                                                     \
  }                                                                                                           \
  LATHE_CUDA_BOTH long long llrint##f(real x) {                                                               \
    return static_cast<long long>(rint##f(x));                                                                \
  }                                                                                                           \
  LATHE_CUDA_BOTH long lround##f(real x) {                                                                    \
    return static_cast<long>(round##f(x));                                                                    \
  }                                                                                                           \
  LATHE_CUDA_BOTH long long llround##f(real x) {                                                              \
    return static_cast<long long>(round##f(x));                                                               \
  }                                                                                                           \
  LATHE_CUDA_BOTH void sincos##f(real x, real* sine, real* cosine) {                                          \
    *sine = sin##f(x);                                                                                        \
    *cosine = cos##f(x);                                                                                      \
  }                                                                                                           \
  /* Reduced to the nearest quarter of pi's multiples before pi comes in: every step up to there is exact. */ \
  LATHE_CUDA_BOTH void sincospi##f(real x, real* sine, real* cosine) {                                        \
    const real halves = rint##f(2 * x);                                                                       \
    const real angle = fma##f(halves, static_cast<real>(-0.5), x) * static_cast<real>(M_PI);                  \
    const real quadrant = halves - 4 * floor##f(halves / 4);                                                  \
    const real s = sin##f(angle), c = cos##f(angle);                                                          \
    const bool swapped = quadrant == 1 || quadrant == 3;                                                      \
    *sine = copysign##f(1, static_cast<real>(1.5) - quadrant) * (swapped ? c : s);                            \
    *cosine = copysign##f(1, fabs##f(quadrant - static_cast<real>(1.5)) - 1) * (swapped ? s : c);             \
  }                                                                                                           \
  LATHE_CUDA_BOTH real sinpi##f(real x) {                                                                     \
    real sine, cosine;                                                                                        \
    sincospi##f(x, &sine, &cosine);                                                                           \
    return sine;                                                                                              \
  }                                                                                                           \
  LATHE_CUDA_BOTH real cospi##f(real x) {                                                                     \
    real sine, cosine;                                                                                        \
    sincospi##f(x, &sine, &cosine);                                                                           \
    return cosine;                                                                                            \
  }
#ifndef M_SQRT1_2
#define M_SQRT1_2 0.70710678118654752440
#endif
LATHE_CUDA_REAL_FUNCTIONS(float, f)
LATHE_CUDA_REAL_FUNCTIONS(double, )
#undef LATHE_CUDA_REAL_FUNCTIONS

LATHE_CUDA_BOTH double rsqrt(double x) {
  return 1 / sqrt(x);
}
LATHE_CUDA_APPROXIMATE float rsqrtf(float x) {
  return 1 / sqrtf(x);
}
LATHE_CUDA_BOTH float rsqrt(float x) {
  return rsqrtf(x);
}

// Rounded to nearest after each operation: never fused with a neighbour into a multiply-add.
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

/// frexp, logb and ilogb through the bits of the argument.
LATHE_CUDA_BOTH double frexp(double x, int* exponent) {
  *exponent = 0;
  if (x == 0 || !__builtin_isfinite(x)) return x;
  int scale = 0;
  if (fabs(x) < 0x1p-1022) x *= 0x1p54, scale = -54;
  unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  *exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1022 + scale;
  bits = (bits & ~(0x7ffull << 52)) | 1022ull << 52;
  return __builtin_bit_cast(double, bits);
}
LATHE_CUDA_BOTH float frexpf(float x, int* exponent) {
  return static_cast<float>(frexp(static_cast<double>(x), exponent));
}
LATHE_CUDA_BOTH float frexp(float x, int* exponent) {
  return frexpf(x, exponent);
}
LATHE_CUDA_BOTH int ilogb(double x) {
  if (x == 0) return -__INT_MAX__ - 1;
  if (!__builtin_isfinite(x)) return __builtin_isinf(x) ? __INT_MAX__ : -__INT_MAX__ - 1;
  int exponent;
  frexp(x, &exponent);
  return exponent - 1;
}
LATHE_CUDA_BOTH int ilogbf(float x) {
  return ilogb(static_cast<double>(x));
}
LATHE_CUDA_BOTH double logb(double x) {
  return x == 0 ? -__builtin_huge_val() : __builtin_isfinite(x) ? ilogb(x) : x * x;
}
LATHE_CUDA_BOTH float logbf(float x) {
  return static_cast<float>(logb(static_cast<double>(x)));
}
/// The inverse of erfc up to 1/2, where its logarithm is nearly a parabola: Newton's method on that, from the first
/// term of the asymptotic series, doubles the digits at each step (NIST's Handbook of Mathematical
/// Functions, 7.12.1, 7.17).
LATHE_CUDA_BOTH double __lathe_cuda_erfcinv_tail(double x) {
  if (!(x > 0)) return x == 0 ? __builtin_huge_val() : __builtin_nan("");
  double y = sqrt(-log(x));
  y = y > 1 ? sqrt(-log(x * 1.7724538509055160 * y)) : 0.7;
  for (int i = 0; i < 5; ++i) {
    const double there = erfc(y);
    y += 0.88622692545275801 * exp(y * y) * there * log(there / x);
  }
  return y;
}
/// The inverse of erf up to 1/2: Giles's approximation ("Approximating the erfinv function", 2011) and two steps of
/// Newton's method.
LATHE_CUDA_BOTH double __lathe_cuda_erfinv_middle(double x) {
  const double v = -log((1 - x) * (1 + x)) - 2.5;
  double y = 2.81022636e-08;
  y = fma(y, v, 3.43273939e-07), y = fma(y, v, -3.5233877e-06), y = fma(y, v, -4.39150654e-06);
  y = fma(y, v, 0.00021858087), y = fma(y, v, -0.00125372503), y = fma(y, v, -0.00417768164);
  y = fma(y, v, 0.246640727), y = fma(y, v, 1.50140941);
  y *= x;
  for (int i = 0; i < 2; ++i) y -= (erf(y) - x) * 0.88622692545275801 * exp(y * y);
  return y;
}
LATHE_CUDA_BOTH double erfinv(double x) {
  return fabs(x) <= 0.5 ? __lathe_cuda_erfinv_middle(x) : copysign(__lathe_cuda_erfcinv_tail(1 - fabs(x)), x);
}
LATHE_CUDA_BOTH float erfinvf(float x) {
  return static_cast<float>(erfinv(static_cast<double>(x)));
}
// All differences are exact.
LATHE_CUDA_BOTH double erfcinv(double x) {
  if (x < 0.5) return __lathe_cuda_erfcinv_tail(x);
  return x > 1.5 ? -__lathe_cuda_erfcinv_tail(2 - x) : __lathe_cuda_erfinv_middle(1 - x);
}
LATHE_CUDA_BOTH float erfcinvf(float x) {
  return static_cast<float>(erfcinv(static_cast<double>(x)));
}
LATHE_CUDA_BOTH double normcdfinv(double x) {
  return -1.4142135623730951 * erfcinv(2 * x);
}
LATHE_CUDA_BOTH float normcdfinvf(float x) {
  return static_cast<float>(normcdfinv(static_cast<double>(x)));
}
/// The square with what its rounding lost; beyond 25 the asymptotic series.
LATHE_CUDA_BOTH double erfcx(double x) {
  if (x < 25) {
    const double square = x * x, lost = fma(x, x, -square), out = exp(square) * erfc(x);
    return __builtin_isinf(out) ? out : fma(out, lost, out);
  }
  const double s = 1 / (x * x);
  double sum = fma(s, -1055.7421875, 162.421875);
  sum = fma(s, sum, -29.53125), sum = fma(s, sum, 6.5625), sum = fma(s, sum, -1.875);
  sum = fma(s, sum, 0.75), sum = fma(s, sum, -0.5), sum = fma(s, sum, 1);
  return 0.56418958354775629 / x * sum;
}
LATHE_CUDA_BOTH float erfcxf(float x) {
  return static_cast<float>(erfcx(static_cast<double>(x)));
}

LATHE_INLINE float __saturatef(float x) {
  return fminf(fmaxf(x, 0), 1);
}
LATHE_CUDA_APPROXIMATE float __fdividef(float x, float y) {
  return x / y;
}
LATHE_CUDA_APPROXIMATE float fdividef(float x, float y) {
  return x / y;
}
LATHE_CUDA_APPROXIMATE float __expf(float x) {
  return exp2f(x * 1.44269504f);
}
LATHE_CUDA_APPROXIMATE float __exp10f(float x) {
  return exp2f(x * 3.32192809f);
}
LATHE_CUDA_APPROXIMATE float __log2f(float x) {
  return log2f(x);
}
LATHE_CUDA_APPROXIMATE float __logf(float x) {
  return log2f(x) * 0.693147181f;
}
LATHE_CUDA_APPROXIMATE float __log10f(float x) {
  return log2f(x) * 0.301029996f;
}
LATHE_CUDA_APPROXIMATE float __powf(float x, float y) {
  return exp2f(y * log2f(x));
}
LATHE_CUDA_APPROXIMATE float __sinf(float x) {
  return sinf(x);
}
LATHE_CUDA_APPROXIMATE float __cosf(float x) {
  return cosf(x);
}
LATHE_CUDA_APPROXIMATE float __tanf(float x) {
  return sinf(x) / cosf(x);
}
LATHE_CUDA_APPROXIMATE void __sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}

#endif
