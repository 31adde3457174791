// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that turn off CUDA's conversions and operators of half and bfloat16 have their own, as those built with PyTorch:
// no operator is defined twice or ambiguous, and no type converts by itself. CUDA's functions are what they are otherwise.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx && FileCheck %s < %t.nvcc.ptx %}
// RUN: FileCheck %s < %t.ptx
// RUN: %lathe run %s -t cpu -k all --grid 1 --group 1 --arg zeros:f32[12] --print 0 | FileCheck %s --check-prefix=RESULT
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DIMPLICIT 2>&1 | FileCheck %s --check-prefix=IMPLICIT
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DOPERATOR 2>&1 | FileCheck %s --check-prefix=OPERATOR
// CHECK: .entry all(
// RESULT: 103 103 3 7 2 6 -2 5 1.5 11 2 4
#define __CUDA_NO_HALF_CONVERSIONS__
#define __CUDA_NO_HALF_OPERATORS__
#define __CUDA_NO_HALF2_OPERATORS__
#define __CUDA_NO_BFLOAT16_CONVERSIONS__
#define __CUDA_NO_BFLOAT16_OPERATORS__
#define __CUDA_NO_BFLOAT162_OPERATORS__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <mma.h>

// A number as readily made of a float as of a half.
struct Number {
  float value;
  __host__ __device__ Number(float value) : value(value) {}
  __device__ Number(const __half& half) : value(__half2float(half)) {}
  __device__ operator __half() const { return __float2half(value); }
};

__device__ __half operator+(const __half& a, const __half& b) {
  return __float2half(__half2float(a) + __half2float(b) + 100);
}
__device__ __half& operator+=(__half& a, const __half& b) {
  return a = a + b;
}
__device__ __half2 operator+(const __half2& a, const __half2& b) {
  return {a.x + b.x, a.y + b.y};
}
__device__ __nv_bfloat16 operator-(const __nv_bfloat16& a) {
  return a;
}
__device__ __nv_bfloat16 operator+(const __nv_bfloat16& a, const __nv_bfloat16& b) {
  return __float2bfloat16(__bfloat162float(a) + __bfloat162float(b) + 100);
}
__device__ bool operator<(const __half& a, const __half& b) {
  return !__hlt(a, b);
}
__device__ int chosen(float) {
  return 1;
}
__device__ int chosen(Number) {
  return 2;
}

extern "C" __global__ void all(float* out) {
  const __half one = __float2half(1), two = __float2half(2);
  const __nv_bfloat16 three = __float2bfloat16(3), four = __float2bfloat16(4);
  __half sum = one;
  sum += two;
  out[0] = __half2float(sum);
  out[1] = __bfloat162float(-__float2bfloat16(1) + __float2bfloat16(2));
  out[2] = __half2float(__hadd(one, two));
  out[3] = __bfloat162float(__hadd(three, four));
  out[4] = __half2float(one < two ? one : two);
  out[5] = __half2float(__hfma(two, two, two));
  out[6] = __low2float(__hneg2(__half2half2(two)));
  const __half2 pair = __hadd2(__floats2half2_rn(1, 2), __floats2half2_rn(4, 5));
  out[7] = __half22float2(pair).x;
  out[8] = static_cast<float>(__nv_fp8_e4m3(1.5f));
  out[9] = __half2int_rd(__hadd_sat(one, two)) + 10;
  out[10] = chosen(one);
  out[11] = Number(__half(Number(4.0f))).value;
#ifdef IMPLICIT
  // IMPLICIT: error: no viable conversion from {{.*}}__half
  const float wide = one;
  out[0] = wide;
#endif
#ifdef OPERATOR
  // OPERATOR: error: invalid operands to binary expression
  out[0] = __half2float(one * two);
#endif
}
