// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles by constants need no address where one instruction does them, for a branch may have switched off the lanes that
// a second one would pass by: data-parallel primitives within a row of 16, v_permlane16 and v_permlanex16 in waves of 32,
// v_readlane of the whole wave, ds_swizzle (whose pattern LLVM's assembler names) within 32 lanes of waves of 64. Others, and
// steps over a row's end, stay ds_bpermute.
//
// RUN: %compile %s -t amdgpu:gfx1100 --emit asm -o - | FileCheck %s --check-prefixes=CHECK,GFX11
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o - | FileCheck %s --check-prefixes=CHECK,GFX9
// RUN: %compile %s -t amdgpu:gfx1201 -O 0 --emit asm -o - | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: _dpp
// PLAIN-NOT: v_permlane
// PLAIN-NOT: ds_swizzle
#include <cuda_runtime.h>

// CHECK-LABEL: _Z4xorsPi:
// GFX11: v_permlanex16_b32
// GFX9: ds_swizzle_b32 {{.*}} offset:swizzle(SWAP,16)
// CHECK-NOT: ds_
// CHECK: v_add{{.*}}_u32_dpp {{.*}} row_ror:8 row_mask:0xf bank_mask:0xf
// GFX11: v_permlane16_b32
// GFX9: ds_swizzle_b32 {{.*}} offset:swizzle(SWAP,4)
// CHECK: v_add{{.*}}_u32_dpp {{.*}} quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf
// CHECK: v_add{{.*}}_u32_dpp {{.*}} quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
// CHECK: s_endpgm
__global__ void xors(int* out) {
  int v = out[threadIdx.x];
  for (int m = 16; m > 0; m >>= 1) v += __shfl_xor_sync(~0u, v, m);
  out[threadIdx.x] = v;
}
// CHECK-LABEL: _Z4rowsPi:
// CHECK: _dpp {{.*}} row_shr:1 row_mask:0xf bank_mask:0xf
// CHECK: _dpp {{.*}} row_shl:3 row_mask:0xf bank_mask:0xf
// CHECK-NOT: ds_bpermute
// CHECK: s_endpgm
__global__ void rows(int* out) {
  int v = out[threadIdx.x];
  v += __shfl_up_sync(~0u, v, 1, 16);
  v += __shfl_down_sync(~0u, v, 3, 8);
  out[threadIdx.x] = v;
}
// CHECK-LABEL: _Z5firstPi:
// GFX11: v_readlane_b32 s{{[0-9]+}}, v{{[0-9]+}}, 5
// GFX9: ds_swizzle_b32 {{.*}} offset:swizzle(BROADCAST,32,5)
// CHECK: s_endpgm
__global__ void first(int* out) {
  const int v = out[threadIdx.x];
  out[threadIdx.x] = v + __shfl_sync(~0u, v, 5);
}
// CHECK-LABEL: _Z7unknownPii:
// CHECK-COUNT-3: ds_bpermute_b32
// CHECK-NOT: _dpp
// CHECK: s_endpgm
__global__ void unknown(int* out, int d) {
  const int v = out[threadIdx.x];
  out[threadIdx.x] = v + __shfl_sync(~0u, v, d) + __shfl_xor_sync(~0u, v, d) + __shfl_down_sync(~0u, v, 1);
}
// CHECK-LABEL: _Z7eighthsPi:
// GFX11-NOT: _mirror
// CHECK: row_ror:8 row_mask:0xf bank_mask:0xf
// CHECK-NOT: _mirror
// CHECK: s_endpgm
__global__ void eighths(int* out) {
  if (threadIdx.x % 8 == 0) out[threadIdx.x] = __shfl_xor_sync(0x01010101u, out[threadIdx.x], 8);
}
// CHECK-LABEL: _Z4samePi:
// GFX9: ds_swizzle_b32 {{.*}} offset:swizzle(BROADCAST,16,3)
// GFX11: v_mov_b32_dpp {{.*}} row_share:3
// GFX9: ds_swizzle_b32 {{.*}} offset:swizzle(BROADCAST,8,7)
// GFX11: v_permlane16_b32
// CHECK: quad_perm:[2,2,2,2]
// CHECK: quad_perm:[1,1,3,3]
// CHECK-NOT: ds_bpermute
// CHECK: s_endpgm
__global__ void same(int* out) {
  int v = out[threadIdx.x];
  v = __shfl_sync(~0u, v, 3, 16) * 3;
  v = __shfl_sync(~0u, v, 15, 8) * 3;
  v = __shfl_sync(~0u, v, 2, 4) * 3;
  v = __shfl_sync(~0u, v, 1, 2) * 3;
  out[threadIdx.x] = v;
}
