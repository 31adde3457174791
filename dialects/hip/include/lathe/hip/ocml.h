// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD's library of mathematics by the names of its bitcode (__ocml_sin_f32), which sources call with or without a
// declaration of their own: the functions of CUDA's headers, on every target. Those of half compute in float.
#ifndef LATHE_HIP_OCML_H
#define LATHE_HIP_OCML_H

#include <lathe/cuda/prelude.h>

#define LATHE_OCML extern "C" inline __attribute__((always_inline)) __device__
/// Where AMD's functions leave a second result: the item's own memory.
#define LATHE_OCML_PLACE __attribute__((address_space(5)))

namespace lathe::detail {
typedef _Float16 OcmlHalf2 __attribute__((ext_vector_type(2)));
}  // namespace lathe::detail

#define LATHE_OCML_HALF(name, expression)                                                \
  LATHE_OCML _Float16 __ocml_##name##_f16(_Float16 half) {                               \
    const float x = half;                                                                \
    return static_cast<_Float16>(expression);                                            \
  }                                                                                      \
  LATHE_OCML lathe::detail::OcmlHalf2 __ocml_##name##_2f16(lathe::detail::OcmlHalf2 x) { \
    return lathe::detail::OcmlHalf2{__ocml_##name##_f16(x.x), __ocml_##name##_f16(x.y)}; \
  }
LATHE_OCML_HALF(ceil, ceilf(x))
LATHE_OCML_HALF(cos, cosf(x))
LATHE_OCML_HALF(exp, expf(x))
LATHE_OCML_HALF(exp2, exp2f(x))
LATHE_OCML_HALF(exp10, exp10f(x))
LATHE_OCML_HALF(fabs, fabsf(x))
LATHE_OCML_HALF(floor, floorf(x))
LATHE_OCML_HALF(log, logf(x))
LATHE_OCML_HALF(log2, log2f(x))
LATHE_OCML_HALF(log10, log10f(x))
LATHE_OCML_HALF(rint, rintf(x))
LATHE_OCML_HALF(rsqrt, rsqrtf(x))
LATHE_OCML_HALF(sin, sinf(x))
LATHE_OCML_HALF(sqrt, sqrtf(x))
LATHE_OCML_HALF(trunc, truncf(x))
#undef LATHE_OCML_HALF
LATHE_OCML _Float16 __ocml_fma_f16(_Float16 x, _Float16 y, _Float16 z) {
  return __builtin_elementwise_fma(x, y, z);
}
LATHE_OCML lathe::detail::OcmlHalf2 __ocml_fma_2f16(lathe::detail::OcmlHalf2 x, lathe::detail::OcmlHalf2 y,
                                                    lathe::detail::OcmlHalf2 z) {
  return __builtin_elementwise_fma(x, y, z);
}
LATHE_OCML _Float16 __ocml_fmax_f16(_Float16 x, _Float16 y) {
  return static_cast<_Float16>(fmaxf(x, y));
}
LATHE_OCML _Float16 __ocml_fmin_f16(_Float16 x, _Float16 y) {
  return static_cast<_Float16>(fminf(x, y));
}
LATHE_OCML _Float16 __ocml_pown_f16(_Float16 x, int n) {
  return static_cast<_Float16>(powif(x, n));
}
LATHE_OCML int __ocml_isnan_f16(_Float16 x) {
  return x != x;
}
LATHE_OCML int __ocml_isinf_f16(_Float16 x) {
  return isinf(static_cast<float>(x));
}

// A function of one number, whose names of float and double differ by a letter or not at all.
#define LATHE_OCML_ONE(name, forFloat, forDouble)   \
  LATHE_OCML float __ocml_##name##_f32(float x) {   \
    return forFloat(x);                             \
  }                                                 \
  LATHE_OCML double __ocml_##name##_f64(double x) { \
    return forDouble(x);                            \
  }
#define LATHE_OCML_SAME(name) LATHE_OCML_ONE(name, name##f, name)
LATHE_OCML_SAME(acos)
LATHE_OCML_SAME(acosh)
LATHE_OCML_SAME(asin)
LATHE_OCML_SAME(asinh)
LATHE_OCML_SAME(atan)
LATHE_OCML_SAME(atanh)
LATHE_OCML_SAME(cbrt)
LATHE_OCML_SAME(ceil)
LATHE_OCML_SAME(cos)
LATHE_OCML_SAME(cosh)
LATHE_OCML_SAME(cospi)
LATHE_OCML_SAME(erf)
LATHE_OCML_SAME(erfc)
LATHE_OCML_SAME(erfcinv)
LATHE_OCML_SAME(erfcx)
LATHE_OCML_SAME(erfinv)
LATHE_OCML_SAME(exp)
LATHE_OCML_SAME(exp10)
LATHE_OCML_SAME(exp2)
LATHE_OCML_SAME(expm1)
LATHE_OCML_SAME(fabs)
LATHE_OCML_SAME(floor)
LATHE_OCML_ONE(i0, cyl_bessel_i0f, cyl_bessel_i0)
LATHE_OCML_ONE(i1, cyl_bessel_i1f, cyl_bessel_i1)
LATHE_OCML_SAME(j0)
LATHE_OCML_SAME(j1)
LATHE_OCML_SAME(lgamma)
LATHE_OCML_SAME(log)
LATHE_OCML_SAME(log10)
LATHE_OCML_SAME(log1p)
LATHE_OCML_SAME(log2)
LATHE_OCML_SAME(logb)
LATHE_OCML_ONE(ncdf, normcdff, normcdf)
LATHE_OCML_ONE(ncdfinv, normcdfinvf, normcdfinv)
LATHE_OCML_SAME(nearbyint)
LATHE_OCML_SAME(rcbrt)
LATHE_OCML_SAME(rint)
LATHE_OCML_SAME(round)
LATHE_OCML_SAME(rsqrt)
LATHE_OCML_SAME(sin)
LATHE_OCML_SAME(sinh)
LATHE_OCML_SAME(sinpi)
LATHE_OCML_SAME(sqrt)
LATHE_OCML_SAME(tan)
LATHE_OCML_SAME(tanh)
LATHE_OCML_SAME(tgamma)
LATHE_OCML_SAME(trunc)
LATHE_OCML_SAME(y0)
LATHE_OCML_SAME(y1)
LATHE_OCML_ONE(sqrt_rte, __fsqrt_rn, __dsqrt_rn)
LATHE_OCML_ONE(sqrt_rtn, __fsqrt_rd, __dsqrt_rd)
LATHE_OCML_ONE(sqrt_rtp, __fsqrt_ru, __dsqrt_ru)
LATHE_OCML_ONE(sqrt_rtz, __fsqrt_rz, __dsqrt_rz)
#undef LATHE_OCML_SAME
#undef LATHE_OCML_ONE

#define LATHE_OCML_TWO(name, forFloat, forDouble)             \
  LATHE_OCML float __ocml_##name##_f32(float x, float y) {    \
    return forFloat(x, y);                                    \
  }                                                           \
  LATHE_OCML double __ocml_##name##_f64(double x, double y) { \
    return forDouble(x, y);                                   \
  }
#define LATHE_OCML_SAME(name) LATHE_OCML_TWO(name, name##f, name)
LATHE_OCML_SAME(atan2)
LATHE_OCML_SAME(copysign)
LATHE_OCML_SAME(fdim)
LATHE_OCML_SAME(fmax)
LATHE_OCML_SAME(fmin)
LATHE_OCML_SAME(fmod)
LATHE_OCML_SAME(hypot)
LATHE_OCML_TWO(max, fmaxf, fmax)
LATHE_OCML_TWO(min, fminf, fmin)
LATHE_OCML_SAME(nextafter)
LATHE_OCML_SAME(pow)
LATHE_OCML_TWO(powr, powf, pow)
LATHE_OCML_SAME(remainder)
LATHE_OCML_SAME(rhypot)
// In each direction: to nearest, down, up and towards zero.
#define LATHE_OCML_ROUNDED(name)                             \
  LATHE_OCML_TWO(name##_rte, __f##name##_rn, __d##name##_rn) \
  LATHE_OCML_TWO(name##_rtn, __f##name##_rd, __d##name##_rd) \
  LATHE_OCML_TWO(name##_rtp, __f##name##_ru, __d##name##_ru) \
  LATHE_OCML_TWO(name##_rtz, __f##name##_rz, __d##name##_rz)
LATHE_OCML_ROUNDED(add)
LATHE_OCML_ROUNDED(sub)
LATHE_OCML_ROUNDED(mul)
LATHE_OCML_ROUNDED(div)
#undef LATHE_OCML_ROUNDED
#undef LATHE_OCML_SAME
#undef LATHE_OCML_TWO

#define LATHE_OCML_THREE(name, forFloat, forDouble)                     \
  LATHE_OCML float __ocml_##name##_f32(float x, float y, float z) {     \
    return forFloat(x, y, z);                                           \
  }                                                                     \
  LATHE_OCML double __ocml_##name##_f64(double x, double y, double z) { \
    return forDouble(x, y, z);                                          \
  }
LATHE_OCML_THREE(fma, fmaf, fma)
LATHE_OCML_THREE(mad, fmaf, fma)
LATHE_OCML_THREE(len3, norm3df, norm3d)
LATHE_OCML_THREE(rlen3, rnorm3df, rnorm3d)
LATHE_OCML_THREE(fma_rte, __fmaf_rn, __fma_rn)
LATHE_OCML_THREE(fma_rtn, __fmaf_rd, __fma_rd)
LATHE_OCML_THREE(fma_rtp, __fmaf_ru, __fma_ru)
LATHE_OCML_THREE(fma_rtz, __fmaf_rz, __fma_rz)
#undef LATHE_OCML_THREE

// The rest, whose types differ: `type` is float or double, `suffix` f or nothing.
#define LATHE_OCML_REST(bits, type, suffix)                                               \
  LATHE_OCML type __ocml_len4_f##bits(type x, type y, type z, type w) {                   \
    return norm4d##suffix(x, y, z, w);                                                    \
  }                                                                                       \
  LATHE_OCML type __ocml_rlen4_f##bits(type x, type y, type z, type w) {                  \
    return rnorm4d##suffix(x, y, z, w);                                                   \
  }                                                                                       \
  LATHE_OCML type __ocml_ldexp_f##bits(type x, int n) {                                   \
    return ldexp##suffix(x, n);                                                           \
  }                                                                                       \
  LATHE_OCML type __ocml_scalbn_f##bits(type x, int n) {                                  \
    return scalbn##suffix(x, n);                                                          \
  }                                                                                       \
  LATHE_OCML type __ocml_scalb_f##bits(type x, type y) {                                  \
    return x * exp2##suffix(y);                                                           \
  }                                                                                       \
  LATHE_OCML type __ocml_pown_f##bits(type x, int n) {                                    \
    return powi##suffix(x, n);                                                            \
  }                                                                                       \
  LATHE_OCML int __ocml_ilogb_f##bits(type x) {                                           \
    return ilogb##suffix(x);                                                              \
  }                                                                                       \
  LATHE_OCML int __ocml_isfinite_f##bits(type x) {                                        \
    return isfinite(x);                                                                   \
  }                                                                                       \
  LATHE_OCML int __ocml_isinf_f##bits(type x) {                                           \
    return isinf(x);                                                                      \
  }                                                                                       \
  LATHE_OCML int __ocml_isnan_f##bits(type x) {                                           \
    return isnan(x);                                                                      \
  }                                                                                       \
  LATHE_OCML int __ocml_signbit_f##bits(type x) {                                         \
    return signbit(x);                                                                    \
  }                                                                                       \
  LATHE_OCML type __ocml_frexp_f##bits(type x, LATHE_OCML_PLACE int* exponent) {          \
    int power;                                                                            \
    const type out = frexp##suffix(x, &power);                                            \
    *exponent = power;                                                                    \
    return out;                                                                           \
  }                                                                                       \
  LATHE_OCML type __ocml_modf_f##bits(type x, LATHE_OCML_PLACE type* whole) {             \
    type integer;                                                                         \
    const type out = modf##suffix(x, &integer);                                           \
    *whole = integer;                                                                     \
    return out;                                                                           \
  }                                                                                       \
  LATHE_OCML type __ocml_fract_f##bits(type x, LATHE_OCML_PLACE type* whole) {            \
    *whole = floor##suffix(x);                                                            \
    return x - floor##suffix(x);                                                          \
  }                                                                                       \
  LATHE_OCML type __ocml_remquo_f##bits(type x, type y, LATHE_OCML_PLACE int* quotient) { \
    int times;                                                                            \
    const type out = remquo##suffix(x, y, &times);                                        \
    *quotient = times;                                                                    \
    return out;                                                                           \
  }                                                                                       \
  LATHE_OCML type __ocml_sincos_f##bits(type x, LATHE_OCML_PLACE type* cosine) {          \
    *cosine = cos##suffix(x);                                                             \
    return sin##suffix(x);                                                                \
  }                                                                                       \
  LATHE_OCML type __ocml_sincospi_f##bits(type x, LATHE_OCML_PLACE type* cosine) {        \
    *cosine = cospi##suffix(x);                                                           \
    return sinpi##suffix(x);                                                              \
  }
LATHE_OCML_REST(32, float, f)
LATHE_OCML_REST(64, double, )
#undef LATHE_OCML_REST

// By the instruction on AMD's GPUs.
#define LATHE_OCML_NATIVE(name, expression)              \
  LATHE_OCML float __ocml_native_##name##_f32(float x) { \
    return expression;                                   \
  }
LATHE_OCML_NATIVE(cos, __cosf(x))
LATHE_OCML_NATIVE(exp, __expf(x))
LATHE_OCML_NATIVE(exp10, __exp10f(x))
LATHE_OCML_NATIVE(exp2, __builtin_amdgcn_exp2f(x))
LATHE_OCML_NATIVE(log, __logf(x))
LATHE_OCML_NATIVE(log10, __log10f(x))
LATHE_OCML_NATIVE(log2, __log2f(x))
LATHE_OCML_NATIVE(recip, __builtin_amdgcn_rcpf(x))
LATHE_OCML_NATIVE(rsqrt, __builtin_amdgcn_rsqf(x))
LATHE_OCML_NATIVE(sin, __sinf(x))
LATHE_OCML_NATIVE(sqrt, __builtin_amdgcn_sqrtf(x))
#undef LATHE_OCML_NATIVE
LATHE_OCML double __ocml_native_recip_f64(double x) {
  return __builtin_amdgcn_rcp(x);
}
LATHE_OCML double __ocml_native_rsqrt_f64(double x) {
  return __builtin_amdgcn_rsq(x);
}
LATHE_OCML double __ocml_native_sqrt_f64(double x) {
  return __builtin_amdgcn_sqrt(x);
}

#undef LATHE_OCML
#undef LATHE_OCML_PLACE

#endif
