// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of 8 bits as storage: OCP's formats by <cuda_fp8.h>, and AMD's "fnuz" ones, which have no infinity and no
// negative zero, whose code is their only NaN, and an exponent that counts from one less ("CDNA3 Instruction Set
// Architecture", chapter on data types). CDNA 3 converts the latter by instructions. Unlike CUDA's, these types are
// converted without a cast.
#ifndef LATHE_HIP_FP8_H
#define LATHE_HIP_FP8_H

// HIP has no types of CUDA's names, and its sources give these to HIP's.
#define __nv_fp8_e4m3 __lathe_fp8_e4m3
#define __nv_fp8_e5m2 __lathe_fp8_e5m2
#define __nv_fp8x2_e4m3 __lathe_fp8x2_e4m3
#define __nv_fp8x2_e5m2 __lathe_fp8x2_e5m2
#define __nv_fp8x4_e4m3 __lathe_fp8x4_e4m3
#define __nv_fp8x4_e5m2 __lathe_fp8x4_e5m2
#include <cuda_fp8.h>
#undef __nv_fp8_e4m3
#undef __nv_fp8_e5m2
#undef __nv_fp8x2_e4m3
#undef __nv_fp8x2_e5m2
#undef __nv_fp8x4_e4m3
#undef __nv_fp8x4_e5m2

#define __hip_saturation_t __nv_saturation_t
#define __HIP_NOSAT __NV_NOSAT
#define __HIP_SATFINITE __NV_SATFINITE
// Of which kind a processor has instructions; every kind works on all of them.
#if defined(__gfx942__) || defined(__gfx9_4_generic__)
#define HIP_FP8_TYPE_FNUZ 1
#define HIP_FP8_TYPE_OCP 0
#else
#define HIP_FP8_TYPE_FNUZ 0
#define HIP_FP8_TYPE_OCP 1
#endif

typedef __nv_fp8_storage_t __hip_fp8_storage_t;
typedef __nv_fp8x2_storage_t __hip_fp8x2_storage_t;
typedef __nv_fp8x4_storage_t __hip_fp8x4_storage_t;
enum __hip_fp8_interpretation_t { __HIP_E4M3, __HIP_E5M2, __HIP_E4M3_FNUZ, __HIP_E5M2_FNUZ };

namespace lathe::detail {

LATHE_INLINE bool hasFnuz() {
  return __lathe_target_is("amdgpu:gfx94[0-2]|gfx9-4-generic");
}

constexpr bool isFnuz(__hip_fp8_interpretation_t kind) {
  return kind == __HIP_E4M3_FNUZ || kind == __HIP_E5M2_FNUZ;
}
constexpr bool isE4m3(__hip_fp8_interpretation_t kind) {
  return kind == __HIP_E4M3 || kind == __HIP_E4M3_FNUZ;
}

/// An infinity is no number, saturated or not.
LATHE_CUDA_BOTH __hip_fp8_storage_t toFnuz(float x, bool saturates, bool e4m3) {
  const float magnitude = __builtin_fabsf(x), most = e4m3 ? 240.0f : 57344.0f;
  const bool isFinite = magnitude <= 3.40282347e38f;
  if (hasFnuz()) {
    if (saturates && isFinite) x = __builtin_fminf(__builtin_fmaxf(x, -most), most);
    return static_cast<__hip_fp8_storage_t>(e4m3 ? __builtin_amdgcn_cvt_pk_fp8_f32(x, x, 0, false)
                                                 : __builtin_amdgcn_cvt_pk_bf8_f32(x, x, 0, false));
  }
  if (!isFinite) return 0x80;
  const unsigned code = e4m3 ? toNarrow(magnitude, 3, 8, 0x7fu, saturates ? 0x7fu : 0x80u)
                             : toNarrow(magnitude, 2, 16, 0x7fu, saturates ? 0x7fu : 0x80u);
  return static_cast<__hip_fp8_storage_t>(code != 0 && __builtin_signbit(x) ? code | 0x80 : code);
}
LATHE_CUDA_BOTH float fromFnuz(unsigned code, bool e4m3) {
  if (hasFnuz())
    return e4m3 ? __builtin_amdgcn_cvt_f32_fp8(static_cast<int>(code), 0)
                : __builtin_amdgcn_cvt_f32_bf8(static_cast<int>(code), 0);
  const unsigned bits = e4m3 ? 3 : 2, bias = e4m3 ? 8 : 16, magnitude = code & 0x7f;
  const float leastPlace = __builtin_bit_cast(float, (128 - bias - bits) << 23);
  const float normal = __builtin_bit_cast(float, (magnitude << (23 - bits)) + ((127 - bias) << 23));
  const float value = magnitude >> bits == 0 ? static_cast<float>(magnitude) * leastPlace : normal;
  return (code & 0xff) == 0x80 ? __builtin_nanf("") : code & 0x80 ? -value : value;
}

}  // namespace lathe::detail

LATHE_CUDA_BOTH __hip_fp8_storage_t __hip_cvt_float_to_fp8(float x, __hip_saturation_t saturation,
                                                           __hip_fp8_interpretation_t kind) {
  if (lathe::detail::isFnuz(kind))
    return lathe::detail::toFnuz(x, saturation == __HIP_SATFINITE, kind == __HIP_E4M3_FNUZ);
  return __nv_cvt_float_to_fp8(x, saturation, kind == __HIP_E4M3 ? __NV_E4M3 : __NV_E5M2);
}
LATHE_CUDA_BOTH __hip_fp8_storage_t __hip_cvt_double_to_fp8(double x, __hip_saturation_t saturation,
                                                            __hip_fp8_interpretation_t kind) {
  return __hip_cvt_float_to_fp8(lathe::detail::roundedToOdd(x), saturation, kind);
}
LATHE_CUDA_BOTH __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(__half_raw x, __hip_saturation_t saturation,
                                                             __hip_fp8_interpretation_t kind) {
  return __hip_cvt_float_to_fp8(static_cast<float>(__half(x)), saturation, kind);
}
LATHE_CUDA_BOTH __hip_fp8_storage_t __hip_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __hip_saturation_t saturation,
                                                                 __hip_fp8_interpretation_t kind) {
  return __hip_cvt_float_to_fp8(static_cast<float>(__nv_bfloat16(x)), saturation, kind);
}
LATHE_CUDA_BOTH __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(float2 x, __hip_saturation_t saturation,
                                                                __hip_fp8_interpretation_t kind) {
  if (!lathe::detail::isFnuz(kind))
    return __nv_cvt_float2_to_fp8x2(x, saturation, kind == __HIP_E4M3 ? __NV_E4M3 : __NV_E5M2);
  return static_cast<__hip_fp8x2_storage_t>(__hip_cvt_float_to_fp8(x.x, saturation, kind) |
                                            __hip_cvt_float_to_fp8(x.y, saturation, kind) << 8);
}
LATHE_CUDA_BOTH __hip_fp8x2_storage_t __hip_cvt_double2_to_fp8x2(double2 x, __hip_saturation_t saturation,
                                                                 __hip_fp8_interpretation_t kind) {
  return __hip_cvt_float2_to_fp8x2(float2{lathe::detail::roundedToOdd(x.x), lathe::detail::roundedToOdd(x.y)},
                                   saturation, kind);
}
LATHE_CUDA_BOTH __hip_fp8x2_storage_t __hip_cvt_halfraw2_to_fp8x2(__half2_raw x, __hip_saturation_t saturation,
                                                                  __hip_fp8_interpretation_t kind) {
  return __hip_cvt_float2_to_fp8x2(
      float2{static_cast<float>(__half(__half_raw{x.x})), static_cast<float>(__half(__half_raw{x.y}))}, saturation,
      kind);
}
LATHE_CUDA_BOTH __hip_fp8x2_storage_t __hip_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x,
                                                                      __hip_saturation_t saturation,
                                                                      __hip_fp8_interpretation_t kind) {
  return __hip_cvt_float2_to_fp8x2(float2{static_cast<float>(__nv_bfloat16(__nv_bfloat16_raw{x.x})),
                                          static_cast<float>(__nv_bfloat16(__nv_bfloat16_raw{x.y}))},
                                   saturation, kind);
}
/// Every number of 8 bits is one of half's.
LATHE_CUDA_BOTH __half_raw __hip_cvt_fp8_to_halfraw(__hip_fp8_storage_t x, __hip_fp8_interpretation_t kind) {
  if (lathe::detail::isFnuz(kind)) return __half(lathe::detail::fromFnuz(x, kind == __HIP_E4M3_FNUZ));
  return __nv_cvt_fp8_to_halfraw(x, kind == __HIP_E4M3 ? __NV_E4M3 : __NV_E5M2);
}
LATHE_CUDA_BOTH __half2_raw __hip_cvt_fp8x2_to_halfraw2(__hip_fp8x2_storage_t x, __hip_fp8_interpretation_t kind) {
  if (!lathe::detail::isFnuz(kind)) return __nv_cvt_fp8x2_to_halfraw2(x, kind == __HIP_E4M3 ? __NV_E4M3 : __NV_E5M2);
  const __half_raw low = __hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(x), kind);
  const __half_raw high = __hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(x >> 8), kind);
  return {low.x, high.x};
}

// What functions of conversion are given for a type, as AMD's types say it, and the bits of exponent and fraction.
#define LATHE_FP8_KIND(KIND, bits)                                            \
  static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE; \
  static constexpr __hip_fp8_interpretation_t __default_interpret = KIND;     \
  static constexpr unsigned __we = 7 - bits, __wm = bits;
#define LATHE_FP8(suffix, KIND, bits, ZERO)                                                                         \
  struct __hip_fp8_##suffix {                                                                                       \
    LATHE_FP8_KIND(KIND, bits)                                                                                      \
    __hip_fp8_##suffix() = default;                                                                                 \
    template <class T>                                                                                              \
      requires(__is_arithmetic(T))                                                                                  \
    LATHE_CUDA_BOTH __hip_fp8_##suffix(T x)                                                                         \
        : __x(__hip_cvt_float_to_fp8(lathe::detail::roundedToOdd(x), __HIP_SATFINITE, KIND)) {}                     \
    LATHE_CUDA_BOTH __hip_fp8_##suffix(__half x) : __hip_fp8_##suffix(static_cast<float>(x)) {}                     \
    LATHE_CUDA_BOTH __hip_fp8_##suffix(__nv_bfloat16 x) : __hip_fp8_##suffix(static_cast<float>(x)) {}              \
    LATHE_CUDA_BOTH operator __half() const { return __hip_cvt_fp8_to_halfraw(__x, KIND); }                         \
    LATHE_CUDA_BOTH operator __nv_bfloat16() const { return __nv_bfloat16(static_cast<float>(*this)); }             \
    LATHE_CUDA_BOTH operator float() const {                                                                        \
      if constexpr (lathe::detail::isFnuz(KIND)) return lathe::detail::fromFnuz(__x, lathe::detail::isE4m3(KIND));  \
      return static_cast<float>(static_cast<__half>(*this));                                                        \
    }                                                                                                               \
    LATHE_CUDA_BOTH operator double() const { return static_cast<float>(*this); }                                   \
    LATHE_CUDA_BOTH operator bool() const { return (__x & ZERO) != 0; }                                             \
    template <class T>                                                                                              \
      requires(__is_integral(T))                                                                                    \
    LATHE_CUDA_BOTH operator T() const {                                                                            \
      return lathe::detail::toInteger<T>(static_cast<__half>(*this));                                               \
    }                                                                                                               \
    __hip_fp8_storage_t __x;                                                                                        \
  };                                                                                                                \
  struct __hip_fp8x2_##suffix {                                                                                     \
    LATHE_FP8_KIND(KIND, bits)                                                                                      \
    __hip_fp8x2_##suffix() = default;                                                                               \
    LATHE_CUDA_BOTH __hip_fp8x2_##suffix(float2 x) : __x(__hip_cvt_float2_to_fp8x2(x, __HIP_SATFINITE, KIND)) {}    \
    LATHE_CUDA_BOTH __hip_fp8x2_##suffix(double2 x) : __x(__hip_cvt_double2_to_fp8x2(x, __HIP_SATFINITE, KIND)) {}  \
    LATHE_CUDA_BOTH __hip_fp8x2_##suffix(__half2 x) : __x(__hip_cvt_halfraw2_to_fp8x2(x, __HIP_SATFINITE, KIND)) {} \
    LATHE_CUDA_BOTH __hip_fp8x2_##suffix(__nv_bfloat162 x)                                                          \
        : __x(__hip_cvt_bfloat16raw2_to_fp8x2(x, __HIP_SATFINITE, KIND)) {}                                         \
    LATHE_CUDA_BOTH operator __half2() const { return __hip_cvt_fp8x2_to_halfraw2(__x, KIND); }                     \
    LATHE_CUDA_BOTH operator float2() const {                                                                       \
      __hip_fp8_##suffix low, high;                                                                                 \
      low.__x = static_cast<__hip_fp8_storage_t>(__x), high.__x = static_cast<__hip_fp8_storage_t>(__x >> 8);       \
      return {static_cast<float>(low), static_cast<float>(high)};                                                   \
    }                                                                                                               \
    __hip_fp8x2_storage_t __x;                                                                                      \
  };                                                                                                                \
  struct __hip_fp8x4_##suffix {                                                                                     \
    LATHE_FP8_KIND(KIND, bits)                                                                                      \
    __hip_fp8x4_##suffix() = default;                                                                               \
    LATHE_CUDA_BOTH __hip_fp8x4_##suffix(__hip_fp8x2_##suffix low, __hip_fp8x2_##suffix high)                       \
        : __x(low.__x | static_cast<__hip_fp8x4_storage_t>(high.__x) << 16) {}                                      \
    LATHE_CUDA_BOTH __hip_fp8x4_##suffix(float4 x) : __hip_fp8x4_##suffix(float2{x.x, x.y}, float2{x.z, x.w}) {}    \
    LATHE_CUDA_BOTH __hip_fp8x4_##suffix(double4 x) : __hip_fp8x4_##suffix(double2{x.x, x.y}, double2{x.z, x.w}) {} \
    LATHE_CUDA_BOTH operator float4() const {                                                                       \
      __hip_fp8x2_##suffix low, high;                                                                               \
      low.__x = static_cast<__hip_fp8x2_storage_t>(__x), high.__x = static_cast<__hip_fp8x2_storage_t>(__x >> 16);  \
      const float2 a = low, b = high;                                                                               \
      return {a.x, a.y, b.x, b.y};                                                                                  \
    }                                                                                                               \
    __hip_fp8x4_storage_t __x;                                                                                      \
  };
LATHE_FP8(e4m3, __HIP_E4M3, 3, 0x7f)
LATHE_FP8(e5m2, __HIP_E5M2, 2, 0x7f)
LATHE_FP8(e4m3_fnuz, __HIP_E4M3_FNUZ, 3, 0xff)
LATHE_FP8(e5m2_fnuz, __HIP_E5M2_FNUZ, 2, 0xff)
#undef LATHE_FP8
#undef LATHE_FP8_KIND

#endif
