// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// E8M0, the power of two that scales a block of numbers in the OCP specification for microscaling formats: the byte x
// is 2^(x - 127), and 0xff is not a number. Part of <cuda_fp8.h>. A conversion drops the sign; it rounds up or toward
// zero, and C++'s conversions round up.
#ifndef LATHE_CUDA_SCALE_FLOAT_H
#define LATHE_CUDA_SCALE_FLOAT_H

/// Values up to 2^-128 become the smallest power, 2^-127. Saturated, an infinity and what rounds to it become 2^127.
namespace lathe::detail {
/// Whether the hardware converts the types of microscaling formats: an instruction of the architecture-specific sets of
/// Blackwell (PTX ISA, "cvt").
LATHE_CUDA_BOTH bool convertsMicroscaled() {
  return __lathe_target_is("cuda:sm_(100|101|103|110|120|121)[af]");
}
}  // namespace lathe::detail

LATHE_CUDA_BOTH __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturation,
                                                          cudaRoundMode rounding) {
  const unsigned magnitude = __builtin_bit_cast(unsigned, x) & 0x7fffffff;
  unsigned code = magnitude >> 23;
  if (magnitude > 0x7f800000) return 0xff;
  if (rounding == cudaRoundPosInf && (magnitude & 0x7fffff) != 0 && magnitude > 0x400000) ++code;
  return static_cast<__nv_fp8_storage_t>(code == 0xff && saturation == __NV_SATFINITE ? 0xfe : code);
}
LATHE_CUDA_BOTH __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturation,
                                                           cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(lathe::detail::roundedToOdd(x), saturation, rounding);
}
LATHE_CUDA_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturation,
                                                                cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(static_cast<float>(__nv_bfloat16(x)), saturation, rounding);
}
LATHE_CUDA_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 x, __nv_saturation_t saturation,
                                                               cudaRoundMode rounding) {
  if (lathe::detail::convertsMicroscaled() && saturation == __NV_SATFINITE) {
    unsigned short out;
    if (rounding == cudaRoundPosInf) {
      asm("cvt.rp.satfinite.ue8m0x2.f32 %0, %1, %2;" : "=h"(out) : "f"(x.y), "f"(x.x));
      return out;
    }
    if (rounding == cudaRoundZero) {
      asm("cvt.rz.satfinite.ue8m0x2.f32 %0, %1, %2;" : "=h"(out) : "f"(x.y), "f"(x.x));
      return out;
    }
  }
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_e8m0(x.x, saturation, rounding) |
                                           __nv_cvt_float_to_e8m0(x.y, saturation, rounding) << 8);
}
LATHE_CUDA_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 x, __nv_saturation_t saturation,
                                                                cudaRoundMode rounding) {
  return __nv_cvt_float2_to_e8m0x2({lathe::detail::roundedToOdd(x.x), lathe::detail::roundedToOdd(x.y)}, saturation,
                                   rounding);
}
LATHE_CUDA_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw x, __nv_saturation_t saturation,
                                                                     cudaRoundMode rounding) {
  return __nv_cvt_float2_to_e8m0x2(__bfloat1622float2(x), saturation, rounding);
}
LATHE_CUDA_BOTH __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  const int shifted = x << 7;
  const int number = x == 0 ? 0x40 : shifted;
  const int bits = x == 0xff ? 0x7fff : number;
  return {static_cast<unsigned short>(bits)};
}
LATHE_CUDA_BOTH __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  return {__nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x)).x,
          __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x >> 8)).x};
}

struct __nv_fp8_e8m0 {
  __nv_fp8_e8m0() = default;
  template <class T>
    requires(__is_arithmetic(T))
  LATHE_CUDA_BOTH explicit __nv_fp8_e8m0(T x)
      : __x(__nv_cvt_float_to_e8m0(lathe::detail::roundedToOdd(x), __NV_SATFINITE, cudaRoundPosInf)) {}
  LATHE_CUDA_BOTH explicit __nv_fp8_e8m0(__half x) : __nv_fp8_e8m0(static_cast<float>(x)) {}
  LATHE_CUDA_BOTH explicit __nv_fp8_e8m0(__nv_bfloat16 x) : __nv_fp8_e8m0(static_cast<float>(x)) {}
  LATHE_CUDA_BOTH explicit operator __nv_bfloat16() const { return __nv_cvt_e8m0_to_bf16raw(__x); }
  LATHE_CUDA_BOTH explicit operator float() const { return static_cast<float>(static_cast<__nv_bfloat16>(*this)); }
  LATHE_CUDA_BOTH explicit operator double() const { return static_cast<float>(*this); }
  LATHE_CUDA_BOTH explicit operator __half() const { return __half(static_cast<float>(*this)); }
  /// No power of two is zero.
  LATHE_CUDA_BOTH explicit operator bool() const { return true; }
  template <class T>
    requires(__is_integral(T))
  LATHE_CUDA_BOTH explicit operator T() const {
    constexpr T highest =
        static_cast<T>(-1) < static_cast<T>(0) ? static_cast<T>((1ull << (8 * sizeof(T) - 1)) - 1) : static_cast<T>(-1);
    if (__x == 0xff) return 0;
    const int power = __x - 127;
    const int digits = static_cast<int>(8 * sizeof(T)) - (static_cast<T>(-1) < static_cast<T>(0) ? 1 : 0);
    return power < 0 ? T(0) : power >= digits ? highest : static_cast<T>(1ull << power);
  }
  __nv_fp8_storage_t __x;
};
struct __align__(2) __nv_fp8x2_e8m0 {
  __nv_fp8x2_e8m0() = default;
  LATHE_CUDA_BOTH explicit __nv_fp8x2_e8m0(float2 x)
      : __x(__nv_cvt_float2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  LATHE_CUDA_BOTH explicit __nv_fp8x2_e8m0(double2 x)
      : __x(__nv_cvt_double2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  LATHE_CUDA_BOTH explicit __nv_fp8x2_e8m0(__half2 x) : __nv_fp8x2_e8m0(__half22float2(x)) {}
  LATHE_CUDA_BOTH explicit __nv_fp8x2_e8m0(__nv_bfloat162 x) : __nv_fp8x2_e8m0(__bfloat1622float2(x)) {}
  LATHE_CUDA_BOTH explicit operator __nv_bfloat162() const { return __nv_cvt_e8m0x2_to_bf162raw(__x); }
  LATHE_CUDA_BOTH explicit operator float2() const { return __bfloat1622float2(static_cast<__nv_bfloat162>(*this)); }
  __nv_fp8x2_storage_t __x;
};
struct __align__(4) __nv_fp8x4_e8m0 {
  __nv_fp8x4_e8m0() = default;
  LATHE_CUDA_BOTH explicit __nv_fp8x4_e8m0(float4 x)
      : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(float2{x.x, x.y}), __nv_fp8x2_e8m0(float2{x.z, x.w})) {}
  LATHE_CUDA_BOTH explicit __nv_fp8x4_e8m0(double4 x)
      : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(double2{x.x, x.y}), __nv_fp8x2_e8m0(double2{x.z, x.w})) {}
  LATHE_CUDA_BOTH explicit __nv_fp8x4_e8m0(__half2 low, __half2 high)
      : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(low), __nv_fp8x2_e8m0(high)) {}
  LATHE_CUDA_BOTH explicit __nv_fp8x4_e8m0(__nv_bfloat162 low, __nv_bfloat162 high)
      : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(low), __nv_fp8x2_e8m0(high)) {}
  LATHE_CUDA_BOTH explicit operator float4() const {
    const float2 low = __bfloat1622float2(__nv_cvt_e8m0x2_to_bf162raw(static_cast<__nv_fp8x2_storage_t>(__x)));
    const float2 high = __bfloat1622float2(__nv_cvt_e8m0x2_to_bf162raw(static_cast<__nv_fp8x2_storage_t>(__x >> 16)));
    return {low.x, low.y, high.x, high.y};
  }
  __nv_fp8x4_storage_t __x;

 private:
  LATHE_CUDA_BOTH __nv_fp8x4_e8m0(__nv_fp8x2_e8m0 low, __nv_fp8x2_e8m0 high)
      : __x(low.__x | static_cast<__nv_fp8x4_storage_t>(high.__x) << 16) {}
};

#endif
