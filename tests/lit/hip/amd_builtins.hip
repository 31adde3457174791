// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD's own instructions: there by Clang's names of them, and elsewhere an error where a kernel keeps one.
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o %t.s && FileCheck %s < %t.s
// CHECK-LABEL: _Z6dppSumPi:
// CHECK: v_{{add_u32|mov_b32}}_dpp {{.*}} row_shr:1
// CHECK-LABEL: _Z7swizzlePi:
// CHECK: ds_swizzle_b32 {{.*}} offset:swizzle(SWAP,1)
// CHECK-LABEL: _Z6matrixPKfS0_Pf:
// CHECK: v_mfma_f32_16x16x4
// CHECK-LABEL: _Z10reciprocalPf:
// CHECK: v_rcp_f32
// RUN: %compile %s -t amdgpu:gfx942 -O0 -o %t.limg
// RUN: not %compile %s -t cpu -o %t.limg 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: not %compile %s -t cuda:sm_90 -o %t.limg 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: not %compile %s -t spirv -O0 -o %t.limg 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// ELSEWHERE-DAG: amd_builtins.hip:[[#@LINE+11]]:{{.*}} error: {{.*}}'llvm.amdgcn.mov.dpp.i32', which other processors have, on
// ELSEWHERE-DAG: amd_builtins.hip:[[#@LINE+16]]:{{.*}} error: {{.*}}'llvm.amdgcn.ds.swizzle', which other processors have, on
// ELSEWHERE-DAG: hint: guard it with lathe::target_is(…) or the preprocessor
// The others, and without these two all, are for every target.
// RUN: %compile %s -t cpu -DPORTABLE -o %t.limg
// RUN: %lathe run %s -t cpu -DPORTABLE -k reciprocal --grid 1 --group 4 --arg 'json:[1,2,4,8]' --print 0 | FileCheck %s --check-prefix=RESULT
// RESULT: 1 0.5 0.25 0.125
#include <hip/hip_runtime.h>

__global__ void dppSum(int* p) {
#if !defined(PORTABLE)
  p[threadIdx.x] += __builtin_amdgcn_mov_dpp(p[threadIdx.x], 0x111, 0xf, 0xf, true);
#endif
}

#ifndef PORTABLE
__device__ int swapped(int x) {
  return __builtin_amdgcn_ds_swizzle(x, 0x041f);
}
__global__ void swizzle(int* p) {
  p[threadIdx.x] = swapped(p[threadIdx.x]);
}
#endif

__global__ void matrix(const float* a, const float* b, float* c) {
#if defined(__gfx942__)
  using Sums = __attribute__((ext_vector_type(4))) float;
  Sums sums = {0, 0, 0, 0};
  sums = __builtin_amdgcn_mfma_f32_16x16x4f32(a[threadIdx.x], b[threadIdx.x], sums, 0, 0, 0);
  for (int i = 0; i < 4; ++i) c[4 * threadIdx.x + i] = sums[i];
#endif
}

__global__ void reciprocal(float* p) {
  p[threadIdx.x] = __builtin_amdgcn_rcpf(p[threadIdx.x]);
}

// Bytes by number, copies of signs, zeros and ones; waits.
// RUN: %lathe run %s -t cpu -DPORTABLE -k bytes --grid 1 --group 1 --arg 'json:[2407493471, 1144201745, 218893060, 134873858]' --arg zeros:u32[2] --print 1 | FileCheck %s --check-prefix=BYTES
// BYTES: out u32[2]: 4278255455 17459
__global__ void bytes(const unsigned* in, unsigned* out) {
  out[0] = __builtin_amdgcn_perm(in[0], in[1], in[2]);
  __builtin_amdgcn_s_waitcnt(0);
  out[1] = __builtin_amdgcn_perm(in[0], in[1], in[3]);
}
