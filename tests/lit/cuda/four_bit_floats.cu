// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// E2M1: each of the sixteen values there and back, halves of the last place to even, what is too large and what is no number.
// RUN: %lathe run %s -t cpu --grid 1 --group 16 -k thereAndBack --arg zeros:f32[16] --arg zeros:u32[16] --print 0:16 --print 1:16 | FileCheck %s
// RUN: %lathe run %s -t cpu --grid 1 --group 1 -k rounding --arg zeros:u32[20] --print 0:20 | FileCheck %s --check-prefix=ROUND
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// CHECK: 0 0.5 1 1.5 2 3 4 6 -0 -0.5 -1 -1.5 -2 -3 -4 -6
// CHECK: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// ROUND: 0 1 2 2 4 4 6 6 7 7 15 7 8 1 38 33 25412 25412 17 1
#include <cuda_fp4.h>

__global__ void thereAndBack(float* value, unsigned* code) {
  __nv_fp4_e2m1 x;
  x.__x = static_cast<__nv_fp4_storage_t>(threadIdx.x);
  value[threadIdx.x] = static_cast<float>(x);
  code[threadIdx.x] = __nv_fp4_e2m1(static_cast<float>(__half(__nv_cvt_fp4_to_halfraw(x.__x, __NV_E2M1)))).__x;
}

__global__ void rounding(unsigned* out) {
  const float ties[] = {0.25f, 0.2500001f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f, 5.000001f, 1e30f, -1e30f};
  for (int i = 0; i < 11; ++i) out[i] = __nv_fp4_e2m1(ties[i]).__x;
  out[11] = __nv_fp4_e2m1(-__builtin_nanf("")).__x;
  out[12] = __nv_fp4_e2m1(-0.1f).__x;
  out[13] = __nv_fp4_e2m1(0.25 + 0x1p-40).__x;  // a float in between would be the tie
  out[14] = __nv_fp4x2_e2m1(make_float2(4, 1)).__x;
  out[15] = __nv_fp4x2_e2m1(__floats2half2_rn(0.5f, 1)).__x;
  out[16] = __nv_fp4x4_e2m1(make_float4(2, 2, 1.5f, 4)).__x;
  const float4 back(__nv_fp4x4_e2m1(make_float4(2, 2, 1.5f, 4)));
  out[17] = __nv_fp4x4_e2m1(back).__x;
  const __half2 pair(__half2_raw(__nv_cvt_fp4x2_to_halfraw2(0x11, __NV_E2M1)));
  out[18] = __nv_fp4x2_e2m1(pair).__x;
  out[19] = __nv_cvt_double_to_fp4(0.5, __NV_E2M1, cudaRoundNearest);
}
