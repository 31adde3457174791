// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission writes text for the architecture asked for.
//
// RUN: %compile %s -t cuda:sm_50 --emit ptx -o - | FileCheck %s -DSM=sm_50 --check-prefix=PTX
// RUN: %compile %s -t cuda:sm_75 --emit ptx -o - | FileCheck %s -DSM=sm_75 --check-prefix=PTX
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s -DSM=sm_80 --check-prefix=PTX
// RUN: %compile %s -t cuda:sm_90a --emit ptx -o - | FileCheck %s -DSM=sm_90a --check-prefix=PTX
// RUN: %compile %s -t cuda:sm_100 --emit ptx -o - | FileCheck %s -DSM=sm_100 --check-prefix=PTX
// RUN: %compile %s -t amdgpu:gfx1100 --emit asm -o - | FileCheck %s -DGFX=gfx1100 --check-prefix=GCN
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o - | FileCheck %s -DGFX=gfx942 --check-prefix=GCN
// RUN: %compile %s -t cpu:x86-64-v3 --emit asm -o - | FileCheck %s --check-prefix=X86
#include <lathe/device.h>

// PTX: .version {{[0-9.]+}}
// PTX-NEXT: .target [[SM]]
// PTX-NEXT: .address_size 64
// PTX: .visible .entry _Z5saxpyfPKfPf(
// PTX: fma.rn.f32
// GCN: .amdgcn_target "amdgcn-amd-amdhsa--[[GFX]]"
// GCN: _Z5saxpyfPKfPf:
// GCN: .amdhsa_kernel _Z5saxpyfPKfPf
// X86: vfmadd{{.*}}ps {{.*}}ymm
LATHE_KERNEL void saxpy(float a, const float* x, float* y) {
  const unsigned i = lathe::global_id().x;
  y[i] = a * x[i] + y[i];
}
