// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two 6-bit floating point types of the OCP specification for microscaling formats, E2M3 and E3M2, as storage.
// Conversions saturate, to nearest even or toward zero; what is not a number becomes the largest one, as in CUDA.
#ifndef LATHE_CUDA_FP6_H
#define LATHE_CUDA_FP6_H

#include <cuda_fp8.h>

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;  // the first in the low byte
typedef unsigned __nv_fp6x4_storage_t;
enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };

namespace lathe::detail {

/// A float without the digits that a type with `mantissa` and `bias` does not keep.
LATHE_CUDA_BOTH float shortened(float x, int mantissa, int bias) {
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  const int exponent = static_cast<int>(bits >> 23 & 0xff) - 127;
  const int below = 1 - bias - exponent;  // places that a subnormal number lacks
  const int dropped = 23 - mantissa + (below > 0 ? below : 0);
  const unsigned kept = dropped > 23 ? 0 : bits >> dropped << dropped;
  return __builtin_bit_cast(float, (bits & 0x80000000) | (kept & 0x7fffffff));
}
LATHE_CUDA_BOTH __nv_fp6_storage_t toFp6(float x, __nv_fp6_interpretation_t kind, cudaRoundMode rounding) {
  const int mantissa = kind == __NV_E2M3 ? 3 : 2, bias = kind == __NV_E2M3 ? 1 : 3;
  if (x != x) return 0x1f;
  if (rounding == cudaRoundZero) x = shortened(x, mantissa, bias);
  return toNarrow(x, mantissa, bias, 0x1f, 0x1f, 0x20);
}
/// As a half of which only the exponent's bias is another: a product moves it, subnormal numbers included.
LATHE_CUDA_BOTH __half fromFp6(unsigned bits, __nv_fp6_interpretation_t kind) {
  const unsigned magnitude = kind == __NV_E2M3 ? (bits & 0x1f) << 7 : (bits & 0x1f) << 8;
  const unsigned factor = kind == __NV_E2M3 ? 0x7400 : 0x6c00;  // 2^14, 2^12
  const __half code = __ushort_as_half(static_cast<unsigned short>((bits & 0x20) << 10 | magnitude));
  return __hmul(code, __ushort_as_half(static_cast<unsigned short>(factor)));
}

}  // namespace lathe::detail

LATHE_CUDA_BOTH __nv_fp6_storage_t __nv_cvt_float_to_fp6(float x, __nv_fp6_interpretation_t kind,
                                                         cudaRoundMode rounding) {
  return lathe::detail::toFp6(x, kind, rounding);
}
LATHE_CUDA_BOTH __nv_fp6_storage_t __nv_cvt_double_to_fp6(double x, __nv_fp6_interpretation_t kind,
                                                          cudaRoundMode rounding) {
  return lathe::detail::toFp6(lathe::detail::roundedToOdd(x), kind, rounding);
}
LATHE_CUDA_BOTH __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(__half_raw x, __nv_fp6_interpretation_t kind,
                                                           cudaRoundMode rounding) {
  return lathe::detail::toFp6(static_cast<float>(__half(x)), kind, rounding);
}
LATHE_CUDA_BOTH __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(__nv_bfloat16_raw x, __nv_fp6_interpretation_t kind,
                                                               cudaRoundMode rounding) {
  return lathe::detail::toFp6(static_cast<float>(__nv_bfloat16(x)), kind, rounding);
}
LATHE_CUDA_BOTH __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(float2 x, __nv_fp6_interpretation_t kind,
                                                              cudaRoundMode rounding) {
  if (lathe::detail::convertsMicroscaled() && rounding == cudaRoundNearest) {
    unsigned short out;
    if (kind == __NV_E2M3)
      asm("cvt.rn.satfinite.e2m3x2.f32 %0, %1, %2;" : "=h"(out) : "f"(x.y), "f"(x.x));
    else
      asm("cvt.rn.satfinite.e3m2x2.f32 %0, %1, %2;" : "=h"(out) : "f"(x.y), "f"(x.x));
    return out;
  }
  return static_cast<__nv_fp6x2_storage_t>(lathe::detail::toFp6(x.x, kind, rounding) |
                                           lathe::detail::toFp6(x.y, kind, rounding) << 8);
}
LATHE_CUDA_BOTH __nv_fp6x2_storage_t __nv_cvt_double2_to_fp6x2(double2 x, __nv_fp6_interpretation_t kind,
                                                               cudaRoundMode rounding) {
  return __nv_cvt_float2_to_fp6x2({lathe::detail::roundedToOdd(x.x), lathe::detail::roundedToOdd(x.y)}, kind, rounding);
}
LATHE_CUDA_BOTH __nv_fp6x2_storage_t __nv_cvt_halfraw2_to_fp6x2(__half2_raw x, __nv_fp6_interpretation_t kind,
                                                                cudaRoundMode rounding) {
  return __nv_cvt_float2_to_fp6x2(__half22float2(x), kind, rounding);
}
LATHE_CUDA_BOTH __nv_fp6x2_storage_t __nv_cvt_bfloat16raw2_to_fp6x2(__nv_bfloat162_raw x,
                                                                    __nv_fp6_interpretation_t kind,
                                                                    cudaRoundMode rounding) {
  return __nv_cvt_float2_to_fp6x2(__bfloat1622float2(x), kind, rounding);
}
LATHE_CUDA_BOTH __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t x, __nv_fp6_interpretation_t kind) {
  return lathe::detail::fromFp6(x, kind);
}
LATHE_CUDA_BOTH __half2_raw __nv_cvt_fp6x2_to_halfraw2(__nv_fp6x2_storage_t x, __nv_fp6_interpretation_t kind) {
  if (lathe::detail::convertsMicroscaled()) {
    unsigned out;
    if (kind == __NV_E2M3)
      asm("cvt.rn.f16x2.e2m3x2 %0, %1;" : "=r"(out) : "h"(x));
    else
      asm("cvt.rn.f16x2.e3m2x2 %0, %1;" : "=r"(out) : "h"(x));
    return __builtin_bit_cast(__half2_raw, out);
  }
  return {__half_raw(lathe::detail::fromFp6(x & 0x3f, kind)).x, __half_raw(lathe::detail::fromFp6(x >> 8, kind)).x};
}

#define LATHE_FP6(kind, KIND)                                                                                        \
  struct __nv_fp6_##kind {                                                                                           \
    __nv_fp6_##kind() = default;                                                                                     \
    template <class T>                                                                                               \
      requires(__is_arithmetic(T))                                                                                   \
    LATHE_CUDA_BOTH explicit __nv_fp6_##kind(T x)                                                                    \
        : __x(__nv_cvt_float_to_fp6(lathe::detail::roundedToOdd(x), KIND, cudaRoundNearest)) {}                      \
    LATHE_CUDA_BOTH explicit __nv_fp6_##kind(__half x) : __nv_fp6_##kind(static_cast<float>(x)) {}                   \
    LATHE_CUDA_BOTH explicit __nv_fp6_##kind(__nv_bfloat16 x) : __nv_fp6_##kind(static_cast<float>(x)) {}            \
    LATHE_CUDA_BOTH explicit operator __half() const { return __nv_cvt_fp6_to_halfraw(__x, KIND); }                  \
    LATHE_NARROW_CONVERSIONS(0x1f)                                                                                   \
    __nv_fp6_storage_t __x;                                                                                          \
  };                                                                                                                 \
  struct __align__(2) __nv_fp6x2_##kind {                                                                            \
    __nv_fp6x2_##kind() = default;                                                                                   \
    LATHE_CUDA_BOTH explicit __nv_fp6x2_##kind(float2 x) : __x(__nv_cvt_float2_to_fp6x2(x, KIND, cudaRoundNearest)) {} \
    LATHE_CUDA_BOTH explicit __nv_fp6x2_##kind(double2 x)                                                            \
        : __x(__nv_cvt_double2_to_fp6x2(x, KIND, cudaRoundNearest)) {}                                               \
    LATHE_CUDA_BOTH explicit __nv_fp6x2_##kind(__half2 x) : __nv_fp6x2_##kind(__half22float2(x)) {}                  \
    LATHE_CUDA_BOTH explicit __nv_fp6x2_##kind(__nv_bfloat162 x) : __nv_fp6x2_##kind(__bfloat1622float2(x)) {}       \
    LATHE_CUDA_BOTH explicit operator __half2() const { return __nv_cvt_fp6x2_to_halfraw2(__x, KIND); }              \
    LATHE_CUDA_BOTH explicit operator float2() const { return __half22float2(static_cast<__half2>(*this)); }         \
    __nv_fp6x2_storage_t __x;                                                                                        \
  };                                                                                                                 \
  struct __align__(4) __nv_fp6x4_##kind {                                                                            \
    __nv_fp6x4_##kind() = default;                                                                                   \
    LATHE_CUDA_BOTH explicit __nv_fp6x4_##kind(float4 x)                                                             \
        : __nv_fp6x4_##kind(__nv_fp6x2_##kind(float2{x.x, x.y}), __nv_fp6x2_##kind(float2{x.z, x.w})) {}             \
    LATHE_CUDA_BOTH explicit __nv_fp6x4_##kind(double4 x)                                                            \
        : __nv_fp6x4_##kind(__nv_fp6x2_##kind(double2{x.x, x.y}), __nv_fp6x2_##kind(double2{x.z, x.w})) {}           \
    LATHE_CUDA_BOTH explicit __nv_fp6x4_##kind(__half2 low, __half2 high)                                            \
        : __nv_fp6x4_##kind(__nv_fp6x2_##kind(low), __nv_fp6x2_##kind(high)) {}                                      \
    LATHE_CUDA_BOTH explicit __nv_fp6x4_##kind(__nv_bfloat162 low, __nv_bfloat162 high)                              \
        : __nv_fp6x4_##kind(__nv_fp6x2_##kind(low), __nv_fp6x2_##kind(high)) {}                                      \
    LATHE_CUDA_BOTH explicit operator float4() const {                                                               \
      const float2 low = __half22float2(__nv_cvt_fp6x2_to_halfraw2(static_cast<__nv_fp6x2_storage_t>(__x), KIND));   \
      const float2 high =                                                                                            \
          __half22float2(__nv_cvt_fp6x2_to_halfraw2(static_cast<__nv_fp6x2_storage_t>(__x >> 16), KIND));            \
      return {low.x, low.y, high.x, high.y};                                                                         \
    }                                                                                                                \
    __nv_fp6x4_storage_t __x;                                                                                        \
                                                                                                                     \
   private:                                                                                                          \
    LATHE_CUDA_BOTH __nv_fp6x4_##kind(__nv_fp6x2_##kind low, __nv_fp6x2_##kind high)                                 \
        : __x(low.__x | static_cast<__nv_fp6x4_storage_t>(high.__x) << 16) {}                                        \
  };
LATHE_FP6(e2m3, __NV_E2M3)
LATHE_FP6(e3m2, __NV_E3M2)
#undef LATHE_FP6

#define __CUDA_FP6_TYPES_EXIST__

#endif
