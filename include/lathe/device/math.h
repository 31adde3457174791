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
LATHE_INLINE bool isnan(float x) noexcept {
  return __builtin_isnan(x);
}
LATHE_INLINE bool isnan(double x) noexcept {
  return __builtin_isnan(x);
}
LATHE_INLINE bool isinf(float x) noexcept {
  return __builtin_isinf(x);
}
LATHE_INLINE bool isinf(double x) noexcept {
  return __builtin_isinf(x);
}
LATHE_INLINE bool isfinite(float x) noexcept {
  return __builtin_isfinite(x);
}
LATHE_INLINE bool isfinite(double x) noexcept {
  return __builtin_isfinite(x);
}
LATHE_INLINE bool signbit(float x) noexcept {
  return __builtin_signbit(x);
}
LATHE_INLINE bool signbit(double x) noexcept {
  return __builtin_signbit(x);
}

namespace std {
#define LATHE_MATH_USING(name) \
  using ::name;                \
  using ::name##f;
LATHE_MATH_UNARY(LATHE_MATH_USING)
LATHE_MATH_BINARY(LATHE_MATH_USING)
LATHE_MATH_USING(fma)
LATHE_MATH_USING(ldexp)
#undef LATHE_MATH_USING
using ::abs;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::labs;
using ::llabs;
using ::signbit;
}  // namespace std

#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_SQRT2 1.41421356237309504880
#endif
#ifndef INFINITY
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#endif

#endif
