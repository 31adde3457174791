// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of unified memory: the driver places those that PTX marks so. On the CPU they are variables as all others.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s
// RUN: %compile %s -t cuda:sm_80 -O0 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t amdgpu:gfx1100 -o %t.limg
// RUN: %lathe run %s -t cpu -k count --grid 2 --group 4 --arg 'zeros:i32[1]' --print 0:1 | FileCheck %s --check-prefix=RAN
// RAN: 13
// CHECK-DAG: .global {{.*}}.attribute(.managed) .align 4 .u32 total = 5;
// CHECK-DAG: .global {{.*}}.attribute(.managed) .align 4 .b8 table[16]
// CHECK-DAG: .global .align 4 .u32 plain;
#include <cuda_runtime.h>

__device__ __managed__ int total = 5;
__managed__ int table[4];
__device__ int plain;

__global__ void count(int* out) {
  atomicAdd(&total, 1);
  table[threadIdx.x % 4] = plain;
  __syncthreads();
  if (threadIdx.x == 0) *out = *static_cast<volatile int*>(&total);
}
