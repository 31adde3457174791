// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bounds of launches reach LLVM: most items, most registers, and groups that are to be resident on a compute unit,
// as waves of each of its four execution units. A wave has 64 items before gfx10.
//
// RUN: %compile %s -t amdgpu:gfx1100 --emit ir -o - | FileCheck %s --check-prefixes=CHECK,WAVE32
// RUN: %compile %s -t amdgpu:gfx90a --emit ir -o - | FileCheck %s --check-prefixes=CHECK,WAVE64
#include <cuda_runtime.h>

// CHECK: define amdgpu_kernel void @bounded({{.*}} #[[BOUNDED:[0-9]+]]
extern "C" __global__ void __launch_bounds__(256, 4) bounded(float* p) {
  p[threadIdx.x] *= 2;
}
// CHECK: define amdgpu_kernel void @few({{.*}} #[[FEW:[0-9]+]]
extern "C" __global__ void __maxnreg__(24) few(float* p) {
  p[threadIdx.x] *= 2;
}
// WAVE32-DAG: attributes #[[BOUNDED]] = { {{.*}}"amdgpu-flat-work-group-size"="1,256"{{.*}}"amdgpu-waves-per-eu"="8"
// WAVE64-DAG: attributes #[[BOUNDED]] = { {{.*}}"amdgpu-flat-work-group-size"="1,256"{{.*}}"amdgpu-waves-per-eu"="4"
// CHECK-DAG: attributes #[[FEW]] = { {{.*}}"amdgpu-num-vgpr"="24"
