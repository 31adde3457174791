// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of the types of microscaling formats are converted by one instruction where Blackwell's architecture-specific set has
// it, as nvcc's; the plain architecture and older ones compute.
// RUN: %compile %s -t cuda:sm_100a --emit ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_100a %t.ptx -o %t.cubin %}
// RUN: FileCheck %s < %t.ptx
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_100a %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.ptx %t.nvcc.ptx "cvt\.r[npz]\.[a-z0-9.]+" any-order %}
// RUN: %compile %s -t cuda:sm_100 --emit ptx -o - | FileCheck %s --check-prefix=PLAIN
// RUN: %compile %s -t cpu -o %t.limg
// CHECK: cvt.rn.satfinite.e2m3x2.f32
// PLAIN-NOT: e2m3x2
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
extern "C" {
__global__ void toSix(__nv_fp6x2_storage_t* out, float2 v) {
  out[0] = __nv_cvt_float2_to_fp6x2(v, __NV_E2M3, cudaRoundNearest);
  out[1] = __nv_cvt_float2_to_fp6x2(v, __NV_E3M2, cudaRoundNearest);
}
__global__ void fromSix(__half2_raw* out, __nv_fp6x2_storage_t* in) {
  out[0] = __nv_cvt_fp6x2_to_halfraw2(in[0], __NV_E2M3);
  out[1] = __nv_cvt_fp6x2_to_halfraw2(in[1], __NV_E3M2);
}
__global__ void toFour(__nv_fp4x2_storage_t* out, float2 v) {
  *out = __nv_cvt_float2_to_fp4x2(v, __NV_E2M1, cudaRoundNearest);
}
__global__ void fromFour(__half2_raw* out, __nv_fp4x2_storage_t* in) {
  *out = __nv_cvt_fp4x2_to_halfraw2(in[1], __NV_E2M1);
}
__global__ void toScales(__nv_fp8x2_storage_t* out, float2 v) {
  out[0] = __nv_cvt_float2_to_e8m0x2(v, __NV_SATFINITE, cudaRoundPosInf);
  out[1] = __nv_cvt_float2_to_e8m0x2(v, __NV_SATFINITE, cudaRoundZero);
}
}
