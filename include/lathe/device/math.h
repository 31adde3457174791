// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's mathematics for device code, as C declares it, with C++'s overloads for float and double in the
// global namespace and in std. Each call becomes an LLVM intrinsic or a call by libm's name; the target says what
// serves it.
#ifndef LATHE_DEVICE_MATH_H
#define LATHE_DEVICE_MATH_H

#include <lathe/device/abi.h>

#define LATHE_MATH_UNARY(f)                                                                                       \
  f(acos) f(acosh) f(asin) f(asinh) f(atan) f(atanh) f(cbrt) f(ceil) f(cos) f(cosh) f(erf) f(erfc) f(exp) f(exp2) \
      f(expm1) f(fabs) f(floor) f(lgamma) f(log) f(log10) f(log1p) f(log2) f(nearbyint) f(rint) f(round) f(sin)   \
          f(sinh) f(sqrt) f(tan) f(tanh) f(tgamma) f(trunc)
#define LATHE_MATH_BINARY(f) \
  f(atan2) f(copysign) f(fdim) f(fmax) f(fmin) f(fmod) f(hypot) f(nextafter) f(pow) f(remainder)

extern "C" {
#define LATHE_MATH_DECLARE(name)             \
  LATHE_DEVICE double name(double) noexcept; \
  LATHE_DEVICE float name##f(float) noexcept;
LATHE_MATH_UNARY(LATHE_MATH_DECLARE)
#undef LATHE_MATH_DECLARE
#define LATHE_MATH_DECLARE(name)                     \
  LATHE_DEVICE double name(double, double) noexcept; \
  LATHE_DEVICE float name##f(float, float) noexcept;
LATHE_MATH_BINARY(LATHE_MATH_DECLARE)
#undef LATHE_MATH_DECLARE
LATHE_DEVICE double fma(double, double, double) noexcept;
LATHE_DEVICE float fmaf(float, float, float) noexcept;
LATHE_DEVICE double ldexp(double, int) noexcept;
LATHE_DEVICE float ldexpf(float, int) noexcept;
#ifdef __CUDACC__
// In `long double`, which device code has as double: for host code, and headers that name them.
#define LATHE_MATH_DECLARE(name) long double name##l(long double) noexcept;
LATHE_MATH_UNARY(LATHE_MATH_DECLARE)
#undef LATHE_MATH_DECLARE
#define LATHE_MATH_DECLARE(name) long double name##l(long double, long double) noexcept;
LATHE_MATH_BINARY(LATHE_MATH_DECLARE)
#undef LATHE_MATH_DECLARE
long double fmal(long double, long double, long double) noexcept;
long double ldexpl(long double, int) noexcept;
long double frexpl(long double, int*) noexcept;
long double modfl(long double, long double*) noexcept;
long double nanl(const char*) noexcept;
long double remquol(long double, long double, int*) noexcept;
#else
long double atan2l(long double, long double) noexcept;  // libc++ names it
#endif
// POSIX's Bessel functions.
#define LATHE_MATH_DECLARE(name)                     \
  LATHE_DEVICE double name##0(double) noexcept;      \
  LATHE_DEVICE float name##0f(float) noexcept;       \
  LATHE_DEVICE double name##1(double) noexcept;      \
  LATHE_DEVICE float name##1f(float) noexcept;       \
  LATHE_DEVICE double name##n(int, double) noexcept; \
  LATHE_DEVICE float name##nf(int, float) noexcept;
LATHE_MATH_DECLARE(j)
LATHE_MATH_DECLARE(y)
#undef LATHE_MATH_DECLARE
LATHE_INLINE int abs(int x) noexcept {
  return x < 0 ? -x : x;
}
LATHE_INLINE long labs(long x) noexcept {
  return x < 0 ? -x : x;
}
LATHE_INLINE long long llabs(long long x) noexcept {
  return x < 0 ? -x : x;
}
}

#define LATHE_MATH_OVERLOAD(name)             \
  LATHE_INLINE float name(float x) noexcept { \
    return name##f(x);                        \
  }
LATHE_MATH_UNARY(LATHE_MATH_OVERLOAD)
#undef LATHE_MATH_OVERLOAD
#define LATHE_MATH_OVERLOAD(name)                      \
  LATHE_INLINE float name(float x, float y) noexcept { \
    return name##f(x, y);                              \
  }
LATHE_MATH_BINARY(LATHE_MATH_OVERLOAD)
#undef LATHE_MATH_OVERLOAD
LATHE_INLINE float fma(float x, float y, float z) noexcept {
  return fmaf(x, y, z);
}
LATHE_INLINE float ldexp(float x, int e) noexcept {
  return ldexpf(x, e);
}
LATHE_INLINE float abs(float x) noexcept {
  return fabsf(x);
}
LATHE_INLINE double abs(double x) noexcept {
  return fabs(x);
}
LATHE_INLINE long abs(long x) noexcept {
  return x < 0 ? -x : x;
}
LATHE_INLINE long long abs(long long x) noexcept {
  return x < 0 ? -x : x;
}
#define LATHE_MATH_CLASSES(f) f(isfinite) f(isinf) f(isnan) f(isnormal) f(signbit)
#define LATHE_MATH_COMPARISONS(f) \
  f(isgreater) f(isgreaterequal) f(isless) f(islessequal) f(islessgreater) f(isunordered)
#define LATHE_MATH_CLASS(name)                \
  LATHE_INLINE bool name(float x) noexcept {  \
    return __builtin_##name(x);               \
  }                                           \
  LATHE_INLINE bool name(double x) noexcept { \
    return __builtin_##name(x);               \
  }
LATHE_MATH_CLASSES(LATHE_MATH_CLASS)
#undef LATHE_MATH_CLASS
#define LATHE_MATH_COMPARISON(name)                     \
  LATHE_INLINE bool name(float x, float y) noexcept {   \
    return __builtin_##name(x, y);                      \
  }                                                     \
  LATHE_INLINE bool name(double x, double y) noexcept { \
    return __builtin_##name(x, y);                      \
  }
LATHE_MATH_COMPARISONS(LATHE_MATH_COMPARISON)
#undef LATHE_MATH_COMPARISON

typedef float float_t;
typedef double double_t;
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
LATHE_INLINE int fpclassify(float x) noexcept {
  return __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x);
}
LATHE_INLINE int fpclassify(double x) noexcept {
  return __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x);
}

/// Exponents and fractions through the bits of the argument; the rest out of the functions above.
LATHE_INLINE double frexp(double x, int* exponent) noexcept {
  constexpr int field = 0x7ff00000;  // the exponent's bits in the upper word
  int high = static_cast<int>(__builtin_bit_cast(unsigned long long, x) >> 32) & field;
  if (fabs(x) < 0x1p-1022) {
    x *= 0x1p54;
    high = (static_cast<int>(__builtin_bit_cast(unsigned long long, x) >> 32) & field) - (54 << 20);
  }
  if (high == field || x == 0) {
    *exponent = 0;
    return x;
  }
  *exponent = (high >> 20) - 1022;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  return __builtin_bit_cast(double, (bits & ~(0x7ffull << 52)) | 1022ull << 52);
}
LATHE_INLINE float frexpf(float x, int* exponent) noexcept {
  return static_cast<float>(frexp(static_cast<double>(x), exponent));
}
LATHE_INLINE int ilogb(double x) noexcept {
  if (x == 0) return -__INT_MAX__ - 1;
  if (!__builtin_isfinite(x)) return __builtin_isinf(x) ? __INT_MAX__ : -__INT_MAX__ - 1;
  const bool isSubnormal = fabs(x) < 0x1p-1022;
  if (isSubnormal) x *= 0x1p54;
  return static_cast<int>(__builtin_bit_cast(unsigned long long, x) >> 52 & 0x7ff) - 1023 - (isSubnormal ? 54 : 0);
}
LATHE_INLINE int ilogbf(float x) noexcept {
  return ilogb(static_cast<double>(x));
}
LATHE_INLINE double logb(double x) noexcept {
  return x == 0 ? -__builtin_huge_val() : __builtin_isfinite(x) ? ilogb(x) : x * x;
}
LATHE_INLINE float logbf(float x) noexcept {
  return static_cast<float>(logb(static_cast<double>(x)));
}
LATHE_INLINE double nan(const char*) noexcept {
  return __builtin_nan("");
}
LATHE_INLINE float nanf(const char*) noexcept {
  return __builtin_nanf("");
}
#define LATHE_MATH_REAL(real, f)                                                                                       \
  LATHE_INLINE real scalbn##f(real x, int exponent) noexcept {                                                         \
    return ldexp##f(x, exponent);                                                                                      \
  }                                                                                                                    \
  LATHE_INLINE real scalbln##f(real x, long exponent) noexcept {                                                       \
    return ldexp##f(x, exponent > 9999 ? 9999 : exponent < -9999 ? -9999 : static_cast<int>(exponent));                \
  }                                                                                                                    \
  LATHE_INLINE real modf##f(real x, real* whole) noexcept {                                                            \
    *whole = trunc##f(x);                                                                                              \
    return copysign##f(__builtin_isinf(x) ? 0 : x - *whole, x);                                                        \
  }                                                                                                                    \
  /* Of a multiple of 8 y less, which keeps whether the quotient is even: its lowest bits are subtractions, and exact. \
   */                                                                                                                  \
  LATHE_INLINE real remquo##f(real x, real y, int* quotient) noexcept {                                                \
    const real size = fabs##f(y);                                                                                      \
    real part = fmod##f(fabs##f(x), 8 * size);                                                                         \
    int low = 0;                                                                                                       \
    for (int times = 4; times > 0; times /= 2) {                                                                       \
      if (part >= times * size) part -= times * size, low += times;                                                    \
    }                                                                                                                  \
    if (2 * part > size || (2 * part == size && low % 2 != 0)) part -= size, ++low;                                    \
    low &= 7;                                                                                                          \
    *quotient = __builtin_signbit(x) == __builtin_signbit(y) ? low : -low;                                             \
    return __builtin_signbit(x) ? -part : part;                                                                        \
  }                                                                                                                    \
  LATHE_INLINE long lrint##f(real x) noexcept {                                                                        \
    return static_cast<long>(rint##f(x));                                                                              \
  }                                                                                                                    \
  LATHE_INLINE long long llrint##f(real x) noexcept {                                                                  \
    return static_cast<long long>(rint##f(x));                                                                         \
  }                                                                                                                    \
  LATHE_INLINE long lround##f(real x) noexcept {                                                                       \
    return static_cast<long>(round##f(x));                                                                             \
  }                                                                                                                    \
  LATHE_INLINE long long llround##f(real x) noexcept {                                                                 \
    return static_cast<long long>(round##f(x));                                                                        \
  }
LATHE_MATH_REAL(float, f)
LATHE_MATH_REAL(double, )
#undef LATHE_MATH_REAL
// result name(parameters) of floats, by the name with an f.
#define LATHE_MATH_OVERLOADS(f)                                                                                   \
  f(float, frexp, (float x, int* e), (x, e)) f(int, ilogb, (float x), (x)) f(float, logb, (float x), (x))         \
      f(float, scalbn, (float x, int e), (x, e)) f(float, scalbln, (float x, long e), (x, e))                     \
          f(float, modf, (float x, float* w), (x, w)) f(float, remquo, (float x, float y, int* q), (x, y, q))     \
              f(long, lrint, (float x), (x)) f(long long, llrint, (float x), (x)) f(long, lround, (float x), (x)) \
                  f(long long, llround, (float x), (x))
#define LATHE_MATH_OVERLOAD(result, name, parameters, arguments) \
  LATHE_INLINE result name parameters noexcept {                 \
    return name##f arguments;                                    \
  }
LATHE_MATH_OVERLOADS(LATHE_MATH_OVERLOAD)
#undef LATHE_MATH_OVERLOAD

// As in C++, integers count as double where no float decides, and double wins over float: sqrt(2), ldexp(1, n),
// pow(x, 2.0). So does `long double`, which device code has as double.
namespace lathe {
template <bool, class Result>
struct MathResult {};
template <class Result>
struct MathResult<true, Result> {
  using Type = Result;
};
template <class T>
constexpr bool countsAsDouble = __is_integral(T) || __is_same(T, long double);
/// Of two arguments for which no overload of float or double is the best.
template <class A, class B>
constexpr bool countAsDouble =
    (countsAsDouble<A> && countsAsDouble<B>) || (__is_same(A, float) && __is_same(B, double)) ||
    (__is_same(A, double) && __is_same(B, float)) || (__is_same(A, long double) && __is_arithmetic(B)) ||
    (__is_arithmetic(A) && __is_same(B, long double));
template <class A, class B, class C>
constexpr bool areMixed = __is_arithmetic(A) && __is_arithmetic(B) && __is_arithmetic(C) &&
                          !(__is_same(A, float) && __is_same(B, float) && __is_same(C, float)) &&
                          !(__is_same(A, double) && __is_same(B, double) && __is_same(C, double));
}  // namespace lathe
#define LATHE_MATH_PROMOTED(result, ...) \
  LATHE_ANYWHERE LATHE_INLINE typename lathe::MathResult<lathe::__VA_ARGS__, result>::Type
#define LATHE_MATH_PROMOTE(result, name, parameters, arguments) \
  template <class T>                                            \
  LATHE_MATH_PROMOTED(result, countsAsDouble<T>)                \
  name parameters noexcept {                                    \
    const double x = static_cast<double>(t);                    \
    return name arguments;                                      \
  }
#define LATHE_MATH_PROMOTE_ONE(name) LATHE_MATH_PROMOTE(double, name, (T t), (x))
LATHE_MATH_UNARY(LATHE_MATH_PROMOTE_ONE)
LATHE_MATH_PROMOTE_ONE(logb)
#undef LATHE_MATH_PROMOTE_ONE
#define LATHE_MATH_PROMOTE_ONE(name) LATHE_MATH_PROMOTE(bool, name, (T t), (x))
LATHE_MATH_CLASSES(LATHE_MATH_PROMOTE_ONE)
#undef LATHE_MATH_PROMOTE_ONE
LATHE_MATH_PROMOTE(int, fpclassify, (T t), (x))
LATHE_MATH_PROMOTE(int, ilogb, (T t), (x))
LATHE_MATH_PROMOTE(long, lrint, (T t), (x))
LATHE_MATH_PROMOTE(long long, llrint, (T t), (x))
LATHE_MATH_PROMOTE(long, lround, (T t), (x))
LATHE_MATH_PROMOTE(long long, llround, (T t), (x))
LATHE_MATH_PROMOTE(double, frexp, (T t, int* exponent), (x, exponent))
LATHE_MATH_PROMOTE(double, ldexp, (T t, int exponent), (x, exponent))
LATHE_MATH_PROMOTE(double, scalbn, (T t, int exponent), (x, exponent))
LATHE_MATH_PROMOTE(double, scalbln, (T t, long exponent), (x, exponent))
#undef LATHE_MATH_PROMOTE
#define LATHE_MATH_PROMOTE(result, name)                         \
  template <class A, class B>                                    \
  LATHE_MATH_PROMOTED(result, countAsDouble<A, B>)               \
  name(A x, B y) noexcept {                                      \
    return name(static_cast<double>(x), static_cast<double>(y)); \
  }
#define LATHE_MATH_PROMOTE_TWO(name) LATHE_MATH_PROMOTE(double, name)
LATHE_MATH_BINARY(LATHE_MATH_PROMOTE_TWO)
#undef LATHE_MATH_PROMOTE_TWO
#define LATHE_MATH_PROMOTE_TWO(name) LATHE_MATH_PROMOTE(bool, name)
LATHE_MATH_COMPARISONS(LATHE_MATH_PROMOTE_TWO)
#undef LATHE_MATH_PROMOTE_TWO
#undef LATHE_MATH_PROMOTE
template <class A, class B>
LATHE_MATH_PROMOTED(double, countAsDouble<A, B>)
remquo(A x, B y, int* quotient) noexcept {
  return remquo(static_cast<double>(x), static_cast<double>(y), quotient);
}
template <class A, class B, class C>
LATHE_MATH_PROMOTED(double, areMixed<A, B, C>)
fma(A x, B y, C z) noexcept {
  return fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}
LATHE_ANYWHERE LATHE_INLINE double hypot(double x, double y, double z) noexcept {
  return hypot(hypot(x, y), z);
}
LATHE_ANYWHERE LATHE_INLINE float hypot(float x, float y, float z) noexcept {
  return hypot(hypot(x, y), z);
}
template <class A, class B, class C>
LATHE_MATH_PROMOTED(double, areMixed<A, B, C>) hypot(A x, B y, C z) noexcept {
  return hypot(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}
#undef LATHE_MATH_PROMOTED

namespace std {
#define LATHE_MATH_USING(name) \
  using ::name;                \
  using ::name##f;
LATHE_MATH_UNARY(LATHE_MATH_USING)
LATHE_MATH_BINARY(LATHE_MATH_USING)
LATHE_MATH_USING(fma)
LATHE_MATH_USING(ldexp)
LATHE_MATH_USING(nan)
#define LATHE_MATH_USING_OVERLOAD(result, name, parameters, arguments) LATHE_MATH_USING(name)
LATHE_MATH_OVERLOADS(LATHE_MATH_USING_OVERLOAD)
#undef LATHE_MATH_USING_OVERLOAD
#undef LATHE_MATH_USING
#define LATHE_MATH_USING(name) using ::name;
LATHE_MATH_CLASSES(LATHE_MATH_USING)
LATHE_MATH_COMPARISONS(LATHE_MATH_USING)
#undef LATHE_MATH_USING
using ::abs;
using ::fpclassify;
using ::labs;
using ::llabs;
}  // namespace std

#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
#ifndef M_PIf  // glibc has them since 2.35
#define M_Ef 2.7182818284590452354f
#define M_LOG2Ef 1.4426950408889634074f
#define M_LOG10Ef 0.43429448190325182765f
#define M_LN2f 0.69314718055994530942f
#define M_LN10f 2.30258509299404568402f
#define M_PIf 3.14159265358979323846f
#define M_PI_2f 1.57079632679489661923f
#define M_PI_4f 0.78539816339744830962f
#define M_1_PIf 0.31830988618379067154f
#define M_2_PIf 0.63661977236758134308f
#define M_2_SQRTPIf 1.12837916709551257390f
#define M_SQRT2f 1.41421356237309504880f
#define M_SQRT1_2f 0.70710678118654752440f
#define M_El 2.7182818284590452354L
#define M_LOG2El 1.4426950408889634074L
#define M_LOG10El 0.43429448190325182765L
#define M_LN2l 0.69314718055994530942L
#define M_LN10l 2.30258509299404568402L
#define M_PIl 3.14159265358979323846L
#define M_PI_2l 1.57079632679489661923L
#define M_PI_4l 0.78539816339744830962L
#define M_1_PIl 0.31830988618379067154L
#define M_2_PIl 0.63661977236758134308L
#define M_2_SQRTPIl 1.12837916709551257390L
#define M_SQRT2l 1.41421356237309504880L
#define M_SQRT1_2l 0.70710678118654752440L
#endif
#ifndef MAXFLOAT
#define MAXFLOAT __FLT_MAX__
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling (MATH_ERRNO | MATH_ERREXCEPT)
#endif
#ifndef INFINITY
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VALL __builtin_huge_vall()
#endif

#endif
