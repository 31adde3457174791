// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two 8-bit floating point types of the OCP specification, as storage: arithmetic is float's. Conversions round to
// nearest even, and saturate to the largest finite number unless they are asked not to.
#ifndef LATHE_CUDA_FP8_H
#define LATHE_CUDA_FP8_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// CUDA's header leaves it behind, and sources that include it use it.
#define __CUDA_ALIGN__(bytes) __align__(bytes)

// What the floating-point types of 4, 6 and 8 bits share.
namespace lathe::detail {

/// Rounds to nearest even, to a sign, an exponent with `bias` and `mantissa` bits in the low ones of a byte. What is
/// beyond the code `largest` becomes that, or `beyond`; what is not a number the code 0x7f. The sum with a large power
/// of two rounds what is below the smallest normal number; above, half of the digits' last place is added to the bits.
LATHE_CUDA_BOTH unsigned char toNarrow(float x, int mantissa, int bias, unsigned largest, unsigned beyond,
                                       unsigned signBit = 0x80) {
  const unsigned bits = __builtin_bit_cast(unsigned, x), sign = bits >> 31 ? signBit : 0, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7f;
  const unsigned smallest = static_cast<unsigned>(128 - bias) << 23;
  const unsigned shifter = static_cast<unsigned>(128 - bias + 23 - mantissa) << 23;
  const float sum = __builtin_bit_cast(float, magnitude) + __builtin_bit_cast(float, shifter);
  const int dropped = 23 - mantissa;
  const unsigned rounded = magnitude + (1u << (dropped - 1)) - 1 + (magnitude >> dropped & 1);
  const unsigned code = magnitude < smallest ? __builtin_bit_cast(unsigned, sum) - shifter
                                             : (rounded >> dropped) - (static_cast<unsigned>(127 - bias) << mantissa);
  return static_cast<unsigned char>(sign | (code > largest ? beyond : code));
}

/// To integers, rounded toward zero and saturated; what is not a number becomes 0.
template <class T>
LATHE_CUDA_BOTH T toInteger(__half x) {
  if constexpr (sizeof(T) < 4)
    return static_cast<T>(x);
  else if constexpr (sizeof(T) == 4 && static_cast<T>(-1) < static_cast<T>(0))
    return static_cast<T>(__half2int_rz(x));
  else if constexpr (sizeof(T) == 4)
    return static_cast<T>(__half2uint_rz(x));
  else if constexpr (static_cast<T>(-1) < static_cast<T>(0))
    return static_cast<T>(__half2ll_rz(x));
  else
    return static_cast<T>(__half2ull_rz(x));
}

}  // namespace lathe::detail

// The members that every such type has beside its conversion to half: to other numbers, and to true where the bits of
// `magnitude` are not all zero.
#define LATHE_NARROW_CONVERSIONS(magnitude)                         \
  LATHE_CUDA_BOTH explicit operator float() const {                 \
    return static_cast<float>(static_cast<__half>(*this));          \
  }                                                                 \
  LATHE_CUDA_BOTH explicit operator double() const {                \
    return static_cast<float>(*this);                               \
  }                                                                 \
  LATHE_CUDA_BOTH explicit operator __nv_bfloat16() const {         \
    return __nv_bfloat16(static_cast<float>(*this));                \
  }                                                                 \
  LATHE_CUDA_BOTH explicit operator bool() const {                  \
    return (__x & magnitude) != 0;                                  \
  }                                                                 \
  template <class T>                                                \
    requires(__is_integral(T))                                      \
  LATHE_CUDA_BOTH explicit operator T() const {                     \
    return lathe::detail::toInteger<T>(static_cast<__half>(*this)); \
  }

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };

namespace lathe::detail {

/// E5M2 is the upper byte of a half; E4M3 without its exponent's highest bit is one of 256 times less.
LATHE_CUDA_BOTH __half fromFp8(unsigned bits, bool e5m2) {
  const auto asHalf = [](unsigned code) { return __ushort_as_half(static_cast<unsigned short>(code)); };
  // As a number until the end: LLVM 22's code for SPIR-V mistakes a structure that comes from two ways for its member.
  unsigned code = (bits & 0x7f) > 0x7c ? 0x7fff : bits << 8;
  if (!e5m2) {
    code = __half_as_ushort(__hmul(asHalf((bits & 0x80) << 8 | (bits & 0x7f) << 7), asHalf(0x5c00)));
    if ((bits & 0x7f) == 0x7f) code = 0x7fff;
  }
  return asHalf(code);
}

/// Two floats by one instruction, the second highest.
LATHE_CUDA_BOTH __nv_fp8x2_storage_t toFp8PairByInstruction(float low, float high, __nv_fp8_interpretation_t kind) {
  unsigned short out;
  if (kind == __NV_E4M3)
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(out) : "f"(high), "f"(low));
  else
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(out) : "f"(high), "f"(low));
  return out;
}

}  // namespace lathe::detail

/// Unsaturated, E4M3, which has no infinity, becomes not a number. Instructions for these numbers came with Ada and PTX
/// 8.1; all of them saturate.
LATHE_CUDA_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t kind) {
  const bool saturates = saturation == __NV_SATFINITE;
  if (__lathe_target_is("cuda") && __lathe_arch_at_least(89) && saturates)
    return static_cast<__nv_fp8_storage_t>(lathe::detail::toFp8PairByInstruction(x, 0, kind));
  return kind == __NV_E4M3 ? lathe::detail::toNarrow(x, 3, 7, 0x7eu, saturates ? 0x7eu : 0x7fu)
                           : lathe::detail::toNarrow(x, 2, 15, 0x7bu, saturates ? 0x7bu : 0x7cu);
}
/// What is not a number keeps its sign here, and in E5M2 the upper digits.
LATHE_CUDA_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                          __nv_fp8_interpretation_t kind) {
  if (x != x) {
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
    const unsigned digits = kind == __NV_E4M3 ? 0x7f : 0x7e | static_cast<unsigned>(bits >> 50 & 3);
    return static_cast<__nv_fp8_storage_t>(bits >> 63 << 7 | digits);
  }
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

// Two and four in a word, the first lowest.
LATHE_CUDA_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturation,
                                                              __nv_fp8_interpretation_t kind) {
  if (__lathe_target_is("cuda") && __lathe_arch_at_least(89) && saturation == __NV_SATFINITE)
    return lathe::detail::toFp8PairByInstruction(x.x, x.y, kind);
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(x.x, saturation, kind) |
                                           __nv_cvt_float_to_fp8(x.y, saturation, kind) << 8);
}
LATHE_CUDA_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturation,
                                                                __nv_fp8_interpretation_t kind) {
  if (__lathe_target_is("cuda") && __lathe_arch_at_least(89) && saturation == __NV_SATFINITE) {
    unsigned short out;
    if (kind == __NV_E4M3)
      asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(out) : "r"(__builtin_bit_cast(unsigned, x)));
    else
      asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(out) : "r"(__builtin_bit_cast(unsigned, x)));
    return out;
  }
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_halfraw_to_fp8(__half_raw{x.x}, saturation, kind) |
                                           __nv_cvt_halfraw_to_fp8(__half_raw{x.y}, saturation, kind) << 8);
}
LATHE_CUDA_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t saturation,
                                                                    __nv_fp8_interpretation_t kind) {
  const float2 wide = {static_cast<float>(__nv_bfloat16(__nv_bfloat16_raw{x.x})),
                       static_cast<float>(__nv_bfloat16(__nv_bfloat16_raw{x.y}))};
  return __nv_cvt_float2_to_fp8x2(wide, saturation, kind);
}
LATHE_CUDA_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturation,
                                                               __nv_fp8_interpretation_t kind) {
  if (x.x != x.x || x.y != x.y)
    return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_fp8(x.x, saturation, kind) |
                                             __nv_cvt_double_to_fp8(x.y, saturation, kind) << 8);
  return __nv_cvt_float2_to_fp8x2({lathe::detail::roundedToOdd(x.x), lathe::detail::roundedToOdd(x.y)}, saturation,
                                  kind);
}
LATHE_CUDA_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  if (__lathe_target_is("cuda") && __lathe_arch_at_least(89)) {
    unsigned out;
    if (kind == __NV_E4M3)
      asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(out) : "h"(x));
    else
      asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(out) : "h"(x));
    return __builtin_bit_cast(__half2_raw, out);
  }
  const __half_raw low = lathe::detail::fromFp8(x, kind == __NV_E5M2);
  const __half_raw high = lathe::detail::fromFp8(static_cast<unsigned>(x >> 8), kind == __NV_E5M2);
  return {low.x, high.x};
}
LATHE_CUDA_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8x2_to_halfraw2(x, kind).x};
}

#define LATHE_FP8(Name, KIND)                                                                         \
  struct Name {                                                                                       \
    Name() = default;                                                                                 \
    template <class T>                                                                                \
      requires(__is_arithmetic(T))                                                                    \
    LATHE_CUDA_BOTH explicit Name(T x)                                                                \
        : __x(__nv_cvt_float_to_fp8(lathe::detail::roundedToOdd(x), __NV_SATFINITE, KIND)) {}         \
    LATHE_CUDA_BOTH explicit Name(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, KIND)) {} \
    LATHE_CUDA_BOTH explicit Name(__half x) : Name(static_cast<float>(x)) {}                          \
    LATHE_CUDA_BOTH explicit Name(__nv_bfloat16 x) : Name(static_cast<float>(x)) {}                   \
    LATHE_CUDA_BOTH explicit operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, KIND); }   \
    LATHE_NARROW_CONVERSIONS(0x7f)                                                                    \
    __nv_fp8_storage_t __x;                                                                           \
  };
LATHE_FP8(__nv_fp8_e4m3, __NV_E4M3)
LATHE_FP8(__nv_fp8_e5m2, __NV_E5M2)
#undef LATHE_FP8

#define LATHE_FP8(kind, KIND)                                                                                          \
  struct __nv_fp8x2_##kind {                                                                                           \
    __nv_fp8x2_##kind() = default;                                                                                     \
    LATHE_CUDA_BOTH explicit __nv_fp8x2_##kind(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, KIND)) {}   \
    LATHE_CUDA_BOTH explicit __nv_fp8x2_##kind(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, KIND)) {} \
    LATHE_CUDA_BOTH explicit __nv_fp8x2_##kind(__half2 x)                                                              \
        : __x(__nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, KIND)) {}                                                  \
    LATHE_CUDA_BOTH explicit __nv_fp8x2_##kind(__nv_bfloat162 x)                                                       \
        : __nv_fp8x2_##kind(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}                               \
    LATHE_CUDA_BOTH explicit operator float2() const {                                                                 \
      const __half2 pair(*this);                                                                                       \
      return {static_cast<float>(pair.x), static_cast<float>(pair.y)};                                                 \
    }                                                                                                                  \
    LATHE_CUDA_BOTH explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, KIND); }                \
    LATHE_CUDA_BOTH __nv_fp8_##kind at(int i) const {                                                                  \
      __nv_fp8_##kind out;                                                                                             \
      out.__x = static_cast<__nv_fp8_storage_t>(__x >> 8 * i);                                                         \
      return out;                                                                                                      \
    }                                                                                                                  \
    __nv_fp8x2_storage_t __x;                                                                                          \
  };                                                                                                                   \
  struct __nv_fp8x4_##kind {                                                                                           \
    __nv_fp8x4_##kind() = default;                                                                                     \
    LATHE_CUDA_BOTH explicit __nv_fp8x4_##kind(float4 x)                                                               \
        : __x(__nv_fp8x2_##kind(float2{x.x, x.y}).__x |                                                                \
              static_cast<__nv_fp8x4_storage_t>(__nv_fp8x2_##kind(float2{x.z, x.w}).__x) << 16) {}                     \
    LATHE_CUDA_BOTH explicit __nv_fp8x4_##kind(double4 x)                                                              \
        : __x(__nv_fp8x2_##kind(double2{x.x, x.y}).__x |                                                               \
              static_cast<__nv_fp8x4_storage_t>(__nv_fp8x2_##kind(double2{x.z, x.w}).__x) << 16) {}                    \
    LATHE_CUDA_BOTH explicit __nv_fp8x4_##kind(__half2 low, __half2 high)                                              \
        : __x(__nv_fp8x2_##kind(low).__x | static_cast<__nv_fp8x4_storage_t>(__nv_fp8x2_##kind(high).__x) << 16) {}    \
    LATHE_CUDA_BOTH explicit __nv_fp8x4_##kind(__nv_bfloat162 low, __nv_bfloat162 high)                                \
        : __x(__nv_fp8x2_##kind(low).__x | static_cast<__nv_fp8x4_storage_t>(__nv_fp8x2_##kind(high).__x) << 16) {}    \
    LATHE_CUDA_BOTH explicit operator float4() const {                                                                 \
      __nv_fp8x2_##kind low, high;                                                                                     \
      low.__x = static_cast<__nv_fp8x2_storage_t>(__x);                                                                \
      high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);                                                         \
      const float2 a(low), b(high);                                                                                    \
      return {a.x, a.y, b.x, b.y};                                                                                     \
    }                                                                                                                  \
    __nv_fp8x4_storage_t __x;                                                                                          \
  };
LATHE_FP8(e4m3, __NV_E4M3)
LATHE_FP8(e5m2, __NV_E5M2)
#undef LATHE_FP8

#include <lathe/cuda/scale_float.h>

#define __CUDA_FP8_TYPES_EXIST__

#endif
