// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP has no SIMD words, masks of halves and CUDA's 8-bit types: sources define them for themselves. A function with
// inline assembly of AMD's GPUs is an error elsewhere only where a kernel needs it.
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o - -DUSED | FileCheck %s
// CHECK: scale:
// CHECK: v_dot2_f32_f16
// RUN: %compile %s -t cuda:sm_90 -o %t.limg 2>&1 | FileCheck %s --check-prefix=UNUSED --implicit-check-not=error:
// UNUSED: 1 kernel
// RUN: not %compile %s -t cuda:sm_90 -o %t.limg -DUSED 2>&1 | FileCheck %s --check-prefix=USED
// USED: error: inline assembly of AMD's GPUs ('v_dot2_f32_f16') on cuda:sm_90
// USED: note: called from 'dot(
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
#include <hip/hip_runtime.h>

typedef __hip_fp8_e4m3 __nv_fp8_e4m3;

static __device__ __forceinline__ unsigned __vcmpeq4(unsigned a, unsigned b) {
  return a == b ? 7 : 9;
}
static __device__ __forceinline__ unsigned __hgt2_mask(const half2 a, const half2 b) {
  return __hgt(__low2half(a), __low2half(b)) ? 0xffff : 0;
}
static __device__ void dot(float& sum, unsigned a, unsigned b) {
  asm volatile("v_dot2_f32_f16 %0, %1, %2, %0" : "+v"(sum) : "v"(a), "v"(b));
}
__device__ float between(float x, unsigned a) {
  dot(x, a, 3);
  return x;
}

extern "C" __global__ void scale(float* values, unsigned* words, const half2* halves) {
  values[threadIdx.x] *= 3;
  words[threadIdx.x] = __vcmpeq4(words[threadIdx.x], 8) + __hgt2_mask(halves[0], halves[1]);
  values[64] = static_cast<float>(__nv_fp8_e4m3(values[65]));
#ifdef USED
  values[threadIdx.x] = between(values[threadIdx.x], 5);
#endif
}
