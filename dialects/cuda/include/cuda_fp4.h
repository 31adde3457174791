// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// E2M1, the 4-bit floating point type of the OCP specification for microscaling formats, as storage: 0, 0.5, 1, 1.5, 2,
// 3, 4, 6 and their negatives. Conversions round to nearest even and saturate; what is not a number becomes 6, as in
// CUDA.
#ifndef LATHE_CUDA_FP4_H
#define LATHE_CUDA_FP4_H

#include <cuda_fp6.h>

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;  // the first in the low half
typedef unsigned short __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 };

namespace lathe::detail {

template <class T>
LATHE_CUDA_BOTH unsigned toFp4(T x) {
  if (x != x) return 7;
  const T a = x < 0 ? -x : x;
  const int code =
      (a > T(0.25)) + (a >= T(0.75)) + (a > T(1.25)) + (a >= T(1.75)) + (a > T(2.5)) + (a >= T(3.5)) + (a > 5);
  return static_cast<unsigned>(code) | (__builtin_signbit(x) ? 8u : 0u);
}
LATHE_CUDA_BOTH float fromFp4(unsigned bits) {
  const unsigned exponent = bits >> 1 & 3, fraction = bits & 1;
  const float magnitude =
      exponent == 0 ? 0.5f * static_cast<float>(fraction) : 0.25f * static_cast<float>((2 + fraction) << exponent);
  return bits & 8 ? -magnitude : magnitude;
}

}  // namespace lathe::detail

LATHE_CUDA_BOTH __nv_fp4_storage_t __nv_cvt_float_to_fp4(float x, __nv_fp4_interpretation_t, cudaRoundMode) {
  return static_cast<__nv_fp4_storage_t>(lathe::detail::toFp4(x));
}
LATHE_CUDA_BOTH __nv_fp4_storage_t __nv_cvt_double_to_fp4(double x, __nv_fp4_interpretation_t, cudaRoundMode) {
  return static_cast<__nv_fp4_storage_t>(lathe::detail::toFp4(x));
}
LATHE_CUDA_BOTH __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(__half_raw x, __nv_fp4_interpretation_t kind,
                                                           cudaRoundMode mode) {
  return __nv_cvt_float_to_fp4(static_cast<float>(__half(x)), kind, mode);
}
LATHE_CUDA_BOTH __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(float2 x, __nv_fp4_interpretation_t, cudaRoundMode) {
  if (lathe::detail::convertsMicroscaled()) {
    unsigned short out;
    asm("{ .reg .b8 b;\n\tcvt.rn.satfinite.e2m1x2.f32 b, %1, %2;\n\tmov.b16 %0, {b, 0}; }"
        : "=h"(out)
        : "f"(x.y), "f"(x.x));
    return static_cast<__nv_fp4x2_storage_t>(out);
  }
  return static_cast<__nv_fp4x2_storage_t>(lathe::detail::toFp4(x.x) | lathe::detail::toFp4(x.y) << 4);
}
LATHE_CUDA_BOTH __nv_fp4x2_storage_t __nv_cvt_double2_to_fp4x2(double2 x, __nv_fp4_interpretation_t, cudaRoundMode) {
  return static_cast<__nv_fp4x2_storage_t>(lathe::detail::toFp4(x.x) | lathe::detail::toFp4(x.y) << 4);
}
LATHE_CUDA_BOTH __nv_fp4x2_storage_t __nv_cvt_halfraw2_to_fp4x2(__half2_raw x, __nv_fp4_interpretation_t kind,
                                                                cudaRoundMode mode) {
  return __nv_cvt_float2_to_fp4x2(
      {static_cast<float>(__half(__half_raw{x.x})), static_cast<float>(__half(__half_raw{x.y}))}, kind, mode);
}
LATHE_CUDA_BOTH __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(__nv_bfloat16_raw x, __nv_fp4_interpretation_t kind,
                                                               cudaRoundMode mode) {
  return __nv_cvt_float_to_fp4(static_cast<float>(__nv_bfloat16(x)), kind, mode);
}
LATHE_CUDA_BOTH __nv_fp4x2_storage_t __nv_cvt_bfloat16raw2_to_fp4x2(__nv_bfloat162_raw x,
                                                                    __nv_fp4_interpretation_t kind,
                                                                    cudaRoundMode mode) {
  return __nv_cvt_float2_to_fp4x2(__bfloat1622float2(x), kind, mode);
}
LATHE_CUDA_BOTH __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t x, __nv_fp4_interpretation_t) {
  return __half(lathe::detail::fromFp4(x));
}
LATHE_CUDA_BOTH __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t x, __nv_fp4_interpretation_t kind) {
  if (lathe::detail::convertsMicroscaled()) {
    unsigned out;
    asm("{ .reg .b8 b, none;\n\tmov.b16 {b, none}, %1;\n\tcvt.rn.f16x2.e2m1x2 %0, b; }"
        : "=r"(out)
        : "h"(static_cast<unsigned short>(x)));
    return __builtin_bit_cast(__half2_raw, out);
  }
  const __half_raw low = __nv_cvt_fp4_to_halfraw(x & 15, kind), high = __nv_cvt_fp4_to_halfraw(x >> 4, kind);
  return {low.x, high.x};
}

struct __nv_fp4_e2m1 {
  __nv_fp4_e2m1() = default;
  template <class T>
    requires(__is_arithmetic(T))
  LATHE_CUDA_BOTH explicit __nv_fp4_e2m1(T x)
      : __x(__nv_cvt_double_to_fp4(static_cast<double>(x), __NV_E2M1, cudaRoundNearest)) {}
  LATHE_CUDA_BOTH explicit __nv_fp4_e2m1(__half x) : __nv_fp4_e2m1(static_cast<float>(x)) {}
  LATHE_CUDA_BOTH explicit __nv_fp4_e2m1(__nv_bfloat16 x) : __nv_fp4_e2m1(static_cast<float>(x)) {}
  LATHE_CUDA_BOTH explicit operator __half() const { return __half(lathe::detail::fromFp4(__x)); }
  LATHE_NARROW_CONVERSIONS(7)
  __nv_fp4_storage_t __x;
};
struct __nv_fp4x2_e2m1 {
  __nv_fp4x2_e2m1() = default;
  LATHE_CUDA_BOTH explicit __nv_fp4x2_e2m1(float2 x) : __x(__nv_cvt_float2_to_fp4x2(x, __NV_E2M1, cudaRoundNearest)) {}
  LATHE_CUDA_BOTH explicit __nv_fp4x2_e2m1(double2 x)
      : __x(__nv_cvt_double2_to_fp4x2(x, __NV_E2M1, cudaRoundNearest)) {}
  LATHE_CUDA_BOTH explicit __nv_fp4x2_e2m1(__half2 x)
      : __nv_fp4x2_e2m1(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}
  LATHE_CUDA_BOTH explicit __nv_fp4x2_e2m1(__nv_bfloat162 x)
      : __nv_fp4x2_e2m1(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}
  LATHE_CUDA_BOTH explicit operator float2() const {
    return {lathe::detail::fromFp4(__x & 15u), lathe::detail::fromFp4(__x >> 4)};
  }
  LATHE_CUDA_BOTH explicit operator __half2() const {
    return {__half(lathe::detail::fromFp4(__x & 15u)), __half(lathe::detail::fromFp4(__x >> 4))};
  }
  __nv_fp4x2_storage_t __x;
};
struct __nv_fp4x4_e2m1 {
  __nv_fp4x4_e2m1() = default;
  LATHE_CUDA_BOTH explicit __nv_fp4x4_e2m1(float4 x)
      : __nv_fp4x4_e2m1(__nv_fp4x2_e2m1(float2{x.x, x.y}), __nv_fp4x2_e2m1(float2{x.z, x.w})) {}
  LATHE_CUDA_BOTH explicit __nv_fp4x4_e2m1(double4 x)
      : __nv_fp4x4_e2m1(__nv_fp4x2_e2m1(double2{x.x, x.y}), __nv_fp4x2_e2m1(double2{x.z, x.w})) {}
  LATHE_CUDA_BOTH explicit __nv_fp4x4_e2m1(__half2 low, __half2 high)
      : __nv_fp4x4_e2m1(__nv_fp4x2_e2m1(low), __nv_fp4x2_e2m1(high)) {}
  LATHE_CUDA_BOTH explicit __nv_fp4x4_e2m1(__nv_bfloat162 low, __nv_bfloat162 high)
      : __nv_fp4x4_e2m1(__nv_fp4x2_e2m1(low), __nv_fp4x2_e2m1(high)) {}
  LATHE_CUDA_BOTH explicit operator float4() const {
    return {lathe::detail::fromFp4(__x & 15u), lathe::detail::fromFp4(__x >> 4 & 15u),
            lathe::detail::fromFp4(__x >> 8 & 15u), lathe::detail::fromFp4(__x >> 12 & 15u)};
  }
  __nv_fp4x4_storage_t __x;

 private:
  LATHE_CUDA_BOTH __nv_fp4x4_e2m1(__nv_fp4x2_e2m1 low, __nv_fp4x2_e2m1 high)
      : __x(static_cast<__nv_fp4x4_storage_t>(low.__x | high.__x << 8)) {}
};

#define __CUDA_FP4_TYPES_EXIST__

#endif
