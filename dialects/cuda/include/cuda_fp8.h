// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two 8-bit floating point types of the OCP specification, as storage: arithmetic is float's. Conversions round to
// nearest even, and saturate to the largest finite number unless they are asked not to.
#ifndef LATHE_CUDA_FP8_H
#define LATHE_CUDA_FP8_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };

namespace lathe::detail {

/// What is beyond `largest` becomes that, or `beyond`.
LATHE_CUDA_BOTH __nv_fp8_storage_t toFp8(float x, int mantissa, int bias, unsigned largest, unsigned beyond) {
  const unsigned bits = __builtin_bit_cast(unsigned, x), sign = bits >> 24 & 0x80;
  const float magnitude = __builtin_fabsf(x);
  if (x != x) return 0x7f;
  int exponent = static_cast<int>(bits >> 23 & 0xff) - 127;
  if (exponent < 1 - bias) exponent = 1 - bias;
  // In units of the last place; rounding up into the next exponent carries over by itself.
  const float unit = ldexpf(1, exponent - mantissa);
  const float steps = rintf(magnitude / unit);
  const unsigned code = static_cast<unsigned>(static_cast<int>(fminf(steps, 64)) + ((exponent + bias - 1) << mantissa));
  return static_cast<__nv_fp8_storage_t>(sign | (code > largest || magnitude > 65536 ? beyond : code));
}
LATHE_CUDA_BOTH float fromFp8(unsigned bits, int mantissa, int bias, bool infinity) {
  const unsigned code = bits & 0x7f, exponent = code >> mantissa, fraction = code & ((1u << mantissa) - 1);
  float out;
  if (infinity && exponent == 31)
    out = fraction ? __builtin_nanf("") : __builtin_inff();
  else if (!infinity && code == 0x7f)
    out = __builtin_nanf("");
  else if (exponent == 0)
    out = ldexpf(static_cast<float>(fraction), 1 - bias - mantissa);
  else
    out = ldexpf(static_cast<float>(fraction + (1u << mantissa)), static_cast<int>(exponent) - bias - mantissa);
  return bits & 0x80 ? -out : out;
}

}  // namespace lathe::detail

#define LATHE_FP8(Name, mantissa, bias, largest, infinity)                                                       \
  struct Name {                                                                                                  \
    Name() = default;                                                                                            \
    LATHE_CUDA_BOTH explicit Name(float x) : __x(lathe::detail::toFp8(x, mantissa, bias, largest, largest)) {}   \
    LATHE_CUDA_BOTH explicit Name(double x) : Name(lathe::detail::roundedToOdd(x)) {}                            \
    LATHE_CUDA_BOTH explicit Name(int x) : Name(static_cast<float>(x)) {}                                        \
    LATHE_CUDA_BOTH explicit Name(__half x) : Name(static_cast<float>(x)) {}                                     \
    LATHE_CUDA_BOTH explicit Name(__nv_bfloat16 x) : Name(static_cast<float>(x)) {}                              \
    LATHE_CUDA_BOTH operator float() const { return lathe::detail::fromFp8(__x, mantissa, bias, infinity); }     \
    LATHE_CUDA_BOTH explicit operator __half() const { return __half(static_cast<float>(*this)); }               \
    LATHE_CUDA_BOTH explicit operator __nv_bfloat16() const { return __nv_bfloat16(static_cast<float>(*this)); } \
    __nv_fp8_storage_t __x;                                                                                      \
  };
LATHE_FP8(__nv_fp8_e4m3, 3, 7, 0x7eu, false)
LATHE_FP8(__nv_fp8_e5m2, 2, 15, 0x7bu, true)
#undef LATHE_FP8

/// Unsaturated, E4M3, which has no infinity, becomes not a number.
LATHE_CUDA_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t kind) {
  const bool saturates = saturation == __NV_SATFINITE;
  return kind == __NV_E4M3 ? lathe::detail::toFp8(x, 3, 7, 0x7eu, saturates ? 0x7eu : 0x7fu)
                           : lathe::detail::toFp8(x, 2, 15, 0x7bu, saturates ? 0x7bu : 0x7cu);
}
LATHE_CUDA_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                          __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(lathe::detail::roundedToOdd(x), saturation, kind);
}
LATHE_CUDA_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturation,
                                                           __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(static_cast<float>(__half(x)), saturation, kind);
}
LATHE_CUDA_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturation,
                                                               __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(static_cast<float>(__nv_bfloat16(x)), saturation, kind);
}
LATHE_CUDA_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half(kind == __NV_E4M3 ? lathe::detail::fromFp8(x, 3, 7, false) : lathe::detail::fromFp8(x, 2, 15, true));
}

// Two and four in a word, the first lowest.
LATHE_CUDA_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturation,
                                                              __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(x.x, saturation, kind) |
                                           __nv_cvt_float_to_fp8(x.y, saturation, kind) << 8);
}
LATHE_CUDA_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturation,
                                                                __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_halfraw_to_fp8(__half_raw{x.x}, saturation, kind) |
                                           __nv_cvt_halfraw_to_fp8(__half_raw{x.y}, saturation, kind) << 8);
}
LATHE_CUDA_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t saturation,
                                                                    __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.x}, saturation, kind) |
                                           __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.y}, saturation, kind) << 8);
}
LATHE_CUDA_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturation,
                                                               __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_fp8(x.x, saturation, kind) |
                                           __nv_cvt_double_to_fp8(x.y, saturation, kind) << 8);
}
LATHE_CUDA_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  const __half_raw low = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), kind);
  const __half_raw high = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), kind);
  return {low.x, high.x};
}

#define LATHE_FP8(kind, KIND)                                                                                        \
  struct __nv_fp8x2_##kind {                                                                                         \
    __nv_fp8x2_##kind() = default;                                                                                   \
    LATHE_CUDA_BOTH explicit __nv_fp8x2_##kind(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, KIND)) {} \
    LATHE_CUDA_BOTH explicit __nv_fp8x2_##kind(double2 x)                                                            \
        : __nv_fp8x2_##kind(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}                             \
    LATHE_CUDA_BOTH explicit __nv_fp8x2_##kind(__half2 x)                                                            \
        : __nv_fp8x2_##kind(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}                             \
    LATHE_CUDA_BOTH explicit __nv_fp8x2_##kind(__nv_bfloat162 x)                                                     \
        : __nv_fp8x2_##kind(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}                             \
    LATHE_CUDA_BOTH explicit operator float2() const {                                                               \
      return {static_cast<float>(at(0)), static_cast<float>(at(1))};                                                 \
    }                                                                                                                \
    LATHE_CUDA_BOTH explicit operator __half2() const { return {__half(at(0)), __half(at(1))}; }                     \
    LATHE_CUDA_BOTH __nv_fp8_##kind at(int i) const {                                                                \
      __nv_fp8_##kind out;                                                                                           \
      out.__x = static_cast<__nv_fp8_storage_t>(__x >> 8 * i);                                                       \
      return out;                                                                                                    \
    }                                                                                                                \
    __nv_fp8x2_storage_t __x;                                                                                        \
  };                                                                                                                 \
  struct __nv_fp8x4_##kind {                                                                                         \
    __nv_fp8x4_##kind() = default;                                                                                   \
    LATHE_CUDA_BOTH explicit __nv_fp8x4_##kind(float4 x)                                                             \
        : __x(__nv_fp8x2_##kind(float2{x.x, x.y}).__x |                                                              \
              static_cast<__nv_fp8x4_storage_t>(__nv_fp8x2_##kind(float2{x.z, x.w}).__x) << 16) {}                   \
    LATHE_CUDA_BOTH explicit __nv_fp8x4_##kind(__half2 low, __half2 high)                                            \
        : __x(__nv_fp8x2_##kind(low).__x | static_cast<__nv_fp8x4_storage_t>(__nv_fp8x2_##kind(high).__x) << 16) {}  \
    LATHE_CUDA_BOTH explicit __nv_fp8x4_##kind(__nv_bfloat162 low, __nv_bfloat162 high)                              \
        : __x(__nv_fp8x2_##kind(low).__x | static_cast<__nv_fp8x4_storage_t>(__nv_fp8x2_##kind(high).__x) << 16) {}  \
    LATHE_CUDA_BOTH explicit operator float4() const {                                                               \
      __nv_fp8x2_##kind low, high;                                                                                   \
      low.__x = static_cast<__nv_fp8x2_storage_t>(__x);                                                              \
      high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);                                                       \
      const float2 a(low), b(high);                                                                                  \
      return {a.x, a.y, b.x, b.y};                                                                                   \
    }                                                                                                                \
    __nv_fp8x4_storage_t __x;                                                                                        \
  };
LATHE_FP8(e4m3, __NV_E4M3)
LATHE_FP8(e5m2, __NV_E5M2)
#undef LATHE_FP8

#endif
