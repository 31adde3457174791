// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses name their memory where every access has to: volatile ones, at every level, which stay volatile, and those of a
// collective's storage, whose address is found late.
// RUN: %compile %s -t metal -O0 --emit metal -o - | FileCheck %s --check-prefix=METAL
// RUN: %compile %s -t metal -O3 --emit metal -o - | FileCheck %s --check-prefix=METAL
// RUN: %compile %s -t opencl-c:cl1.2 -k k -O3 --emit cl -o - | FileCheck %s --check-prefix=OPENCL
// RUN: %compile %s -t spirv -O3 --emit spvasm -o - | FileCheck %s --check-prefix=SPIRV
// METAL: *(volatile device lathe_i32 *)
// METAL: *(volatile threadgroup lathe_i32 *)
// METAL: *(volatile device lathe_f32 *)
// OPENCL: *(volatile __global lathe_i32 *)
// OPENCL: *(volatile __local lathe_i32 *)
// OPENCL: *(volatile __global lathe_f32 *)
// SPIRV-NOT: OpTypePointer Generic
// SPIRV: OpLoad {{.*}} Volatile|Aligned
// SPIRV: OpStore {{.*}} Volatile|Aligned
// OPENCL-NOT: __generic
// SPIRV-NOT: PtrCastToGeneric
#include <cub/cub.cuh>

extern "C" __global__ void k(volatile float* x, volatile int* y) {
  __shared__ volatile int s[32];
  const int i = threadIdx.x;
  s[i] = y[i];
  __syncthreads();
  x[i] = x[i + 1] + s[31 - i];
}

extern "C" __global__ void sum(const float* x, float* y) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const float all = Reduce(storage).Sum(x[threadIdx.x]);
  if (threadIdx.x == 0) y[0] = all;
}
