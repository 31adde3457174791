// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM 22 expands only the first trap of a function on gfx1100 to gfx1103 and ends the process on the others, so a
// function gets one for all. Other chips keep theirs, each at its place.
//
// RUN: %compile %s -t amdgpu:gfx1100 --emit object -o %t.o && llvm-objdump -d --mcpu=gfx1100 %t.o | FileCheck %s --check-prefix=ONE
// RUN: %compile %s -t amdgpu:gfx11-generic --emit object -o %t.o
// RUN: %compile %s -t amdgpu:gfx1100 -O 0 --emit object -o %t.o
// RUN: %dump-after late --entry-abi bare -t amdgpu:gfx1200 2>&1 | FileCheck %s --check-prefix=EACH
// RUN: %dump-after late --entry-abi bare -t amdgpu:gfx1100 2>&1 | FileCheck %s --check-prefix=SHARED
#include <cuda_runtime.h>

// ONE: s_trap 2
// ONE-NOT: s_trap 2
// EACH-LABEL: @_Z5checkPii
// EACH: call void @llvm.trap()
// EACH: call void @llvm.trap()
// SHARED-LABEL: @_Z5checkPii
// SHARED: trap:
// SHARED-NEXT: call void @llvm.trap()
// SHARED-NEXT: unreachable
// SHARED-NOT: call void @llvm.trap()
__global__ void check(int* out, int limit) {
  const int x = out[threadIdx.x];
  if (x > limit) __trap();
  out[threadIdx.x] = x + 1;
  if (x * x == limit) __trap();
  out[threadIdx.x + 1] = x;
}
