// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sources do with types of AMD's headers: a number for both halves of half2, the constants of 8-bit floats,
// operators of collectives that take references to variables, arguments of matrix products that are other vectors of
// the same bits; 'template' before a name without arguments, and builtins that a library declares anew.
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o - -DMATRIX | FileCheck %s
// CHECK: v_mfma_f32_16x16x16
// RUN: %compile %s -t cuda:sm_90 -o %t.limg
// RUN: %lathe run %s -t cpu -k habits --grid 1 --group 32 --arg iota:i32[64] --arg zeros:f32[4] --print 0 --print 1 | FileCheck %s --check-prefix=RESULT
// RESULT: i32[64]: 0 1 1 1 1 1
// RESULT: f32[4]: 3 4 448 4
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
#include <hip/hip_runtime.h>

#include <hipcub/hipcub.hpp>

extern "C" {
void __builtin_amdgcn_s_sleep(int);
}
struct Adder {
  template <class T>
  __device__ int of(T x) {
    return x + 1;
  }
};
template <class S>
__device__ int sumOf(int x) {
  __builtin_amdgcn_s_sleep(1);
  return S().template of(x);
}

struct Difference {
  template <class T>
  __device__ T operator()(T& x, T& y) {
    return x - y;
  }
};
extern "C" __global__ void habits(int* p, float* out) {
  typedef hipcub::BlockAdjacentDifference<int, 32> Differences;
  __shared__ Differences::TempStorage room;
  int own[2] = {p[2 * threadIdx.x], p[2 * threadIdx.x + 1]};
  Differences(room).SubtractLeft(own, own, Difference());
  p[2 * threadIdx.x] = own[0], p[2 * threadIdx.x + 1] = own[1];
  const half2 both = half2(0) + half2(3, 4);
  out[0] = __low2float(both), out[1] = __high2float(both);
  typedef __hip_fp8_e4m3 Byte;
  Byte byte;
  byte.__x = __hip_cvt_float_to_fp8(1000, Byte::__default_saturation, Byte::__default_interpret);
  out[2] = byte, out[3] = sumOf<Adder>(__hip_fp8_e4m3::__we - 1);
}
#ifdef MATRIX
typedef unsigned short Words __attribute__((ext_vector_type(4)));
typedef float Sums __attribute__((ext_vector_type(4)));
__global__ void product(const Words* a, const Words* b, Sums* c) {
  c[threadIdx.x] = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a[threadIdx.x], b[threadIdx.x], c[threadIdx.x], 0, 0, 0);
}
#endif
