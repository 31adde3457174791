// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematics beyond the C library's, under the names that GPU libraries made common: inverse error functions, the
// normal distribution, lengths of vectors, reciprocal roots, angles in multiples of pi, modified Bessel functions. CUDA
// sources have them without an #include. A function that the target's library lacks is Lathe's own
// (core/device/math.cpp).
#ifndef LATHE_DEVICE_SPECIAL_FUNCTIONS_H
#define LATHE_DEVICE_SPECIAL_FUNCTIONS_H

#include <lathe/device/math.h>

#define LATHE_SPECIAL_UNARY(f)                                                                                        \
  f(cospi) f(cyl_bessel_i0) f(cyl_bessel_i1) f(erfcinv) f(erfcx) f(erfinv) f(exp10) f(normcdf) f(normcdfinv) f(rcbrt) \
      f(sinpi)

extern "C" {
#define LATHE_SPECIAL_DECLARE(name)          \
  LATHE_DEVICE double name(double) noexcept; \
  LATHE_DEVICE float name##f(float) noexcept;
LATHE_SPECIAL_UNARY(LATHE_SPECIAL_DECLARE)
#undef LATHE_SPECIAL_DECLARE
#define LATHE_SPECIAL_DECLARE(real, f)                           \
  LATHE_DEVICE real rhypot##f(real, real) noexcept;              \
  LATHE_DEVICE real norm3d##f(real, real, real) noexcept;        \
  LATHE_DEVICE real norm4d##f(real, real, real, real) noexcept;  \
  LATHE_DEVICE real rnorm3d##f(real, real, real) noexcept;       \
  LATHE_DEVICE real rnorm4d##f(real, real, real, real) noexcept; \
  LATHE_DEVICE real powi##f(real, int) noexcept;
LATHE_SPECIAL_DECLARE(float, f)
LATHE_SPECIAL_DECLARE(double, )
#undef LATHE_SPECIAL_DECLARE
LATHE_DEVICE double rsqrt(double) noexcept;
#ifndef __CUDA__
LATHE_DEVICE float rsqrtf(float) noexcept;
#endif
}

#define LATHE_SPECIAL_REAL(real, f)                                                                    \
  LATHE_INLINE void sincos##f(real x, real* sine, real* cosine) {                                      \
    __builtin_sincos##f(x, sine, cosine);                                                              \
  }                                                                                                    \
  LATHE_INLINE void sincospi##f(real x, real* sine, real* cosine) {                                    \
    __builtin_sincospi##f(x, sine, cosine);                                                            \
  }                                                                                                    \
  /* Scaled by the largest, so that no square is too large or too small. */                            \
  LATHE_INLINE real norm##f(int count, const real* x) {                                                \
    real largest = 0, sum = 0;                                                                         \
    bool number = true;                                                                                \
    for (int i = 0; i < count; ++i) number &= x[i] == x[i], largest = fmax##f(largest, fabs##f(x[i])); \
    if (__builtin_isinf(largest) || (largest == 0 && number)) return largest;                          \
    if (!number) return largest + __builtin_nanf("");                                                  \
    for (int i = 0; i < count; ++i) sum += x[i] / largest * (x[i] / largest);                          \
    return largest * sqrt##f(sum);                                                                     \
  }                                                                                                    \
  LATHE_INLINE real rnorm##f(int count, const real* x) {                                               \
    return 1 / norm##f(count, x);                                                                      \
  }
LATHE_SPECIAL_REAL(float, f)
LATHE_SPECIAL_REAL(double, )
#undef LATHE_SPECIAL_REAL

// C++'s overloads.
#define LATHE_SPECIAL_OVERLOAD(name) \
  LATHE_INLINE float name(float x) { \
    return name##f(x);               \
  }
LATHE_SPECIAL_UNARY(LATHE_SPECIAL_OVERLOAD)
LATHE_SPECIAL_OVERLOAD(j0)
LATHE_SPECIAL_OVERLOAD(j1)
LATHE_SPECIAL_OVERLOAD(y0)
LATHE_SPECIAL_OVERLOAD(y1)
#undef LATHE_SPECIAL_OVERLOAD
LATHE_INLINE float jn(int n, float x) {
  return jnf(n, x);
}
LATHE_INLINE float yn(int n, float x) {
  return ynf(n, x);
}
LATHE_INLINE float rhypot(float x, float y) {
  return rhypotf(x, y);
}
LATHE_INLINE float norm3d(float x, float y, float z) {
  return norm3df(x, y, z);
}
LATHE_INLINE float norm4d(float x, float y, float z, float w) {
  return norm4df(x, y, z, w);
}
LATHE_INLINE float rnorm3d(float x, float y, float z) {
  return rnorm3df(x, y, z);
}
LATHE_INLINE float rnorm4d(float x, float y, float z, float w) {
  return rnorm4df(x, y, z, w);
}
LATHE_INLINE float norm(int count, const float* x) {
  return normf(count, x);
}
LATHE_INLINE float rnorm(int count, const float* x) {
  return rnormf(count, x);
}
LATHE_INLINE void sincos(float x, float* sine, float* cosine) {
  sincosf(x, sine, cosine);
}
LATHE_INLINE void sincospi(float x, float* sine, float* cosine) {
  sincospif(x, sine, cosine);
}

#endif
