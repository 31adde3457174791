// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Retarget gives the module its target's triple, layout and address spaces.
//
// RUN: %dump-after retarget -t amdgpu:gfx942 -O 0 2>&1 | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: %dump-after retarget -t cuda -O 0 2>&1 | FileCheck %s --check-prefixes=CHECK,NV
// RUN: %dump-after retarget -t cpu -O 0 2>&1 | FileCheck %s --check-prefixes=CHECK,CPU
#include <lathe/device.h>

// AMD: target datalayout = "e-{{.*}}-A5{{.*}}"
// AMD: target triple = "amdgcn-amd-amdhsa"
// NV: target triple = "nvptx64-nvidia-cuda"
// CPU: target triple = "{{.*}}-linux-gnu"

// AMD-DAG: @factors = addrspace(4) externally_initialized global [4 x float]
// NV-DAG: @factors = addrspace(4) externally_initialized global [4 x float]
// CPU-DAG: @factors = {{.*}}global [4 x float]
// AMD-DAG: @count = addrspace(1) externally_initialized global i32
// NV-DAG: @count = addrspace(1) externally_initialized global i32
LATHE_CONSTANT float factors[4] = {1, 2, 3, 4};
LATHE_GLOBAL unsigned count = 0;

LATHE_KERNEL void pick(const int* index, float* out) {
  // CHECK-LABEL: define void @_Z4pickPKiPf
  // AMD: alloca [4 x float], align 4, addrspace(5)
  // AMD: addrspacecast ptr addrspace(5) %{{.*}} to ptr
  // NV: alloca [4 x float], align 4{{$}}
  // CPU: alloca [4 x float], align 4{{$}}
  float own[4];
  for (int i = 0; i < 4; ++i) own[i] = factors[i] * 2;
  *out = own[*index & 3];
  lathe::atomic_add(&count, 1u);
}
