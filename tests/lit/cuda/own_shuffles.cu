// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles that a program declares for types which CUDA's lack: for those they are taken, and CUDA's own for its types.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: FileCheck %s < %t.ptx
#include <cuda_fp16.h>

struct Triple {
  float x, y, z;
};

template <class T>
__device__ T __shfl_sync(unsigned mask, const T& value, const int& lane) {
  T moved = value;
  int* words = reinterpret_cast<int*>(&moved);
  for (unsigned i = 0; i < sizeof(T) / sizeof(int); ++i) words[i] = __shfl_sync(mask, words[i], lane);
  return moved;
}
template <class T>
__device__ T __shfl(T value, int lane) {
  return __shfl_sync(0xffffffffu, value, lane);
}

// CHECK: .entry {{.*}}moved
// CHECK-COUNT-3: shfl.sync.idx
// CHECK-NOT: shfl.sync
// CHECK: .entry {{.*}}places
__global__ void moved(Triple* values) {
  values[threadIdx.x] = __shfl_sync(0xffffffffu, values[threadIdx.x], 3);
}

// CHECK-COUNT-2: shfl.sync.idx
// CHECK-NOT: shfl.sync
// CHECK: .entry {{.*}}scalars
__global__ void places(Triple** values, Triple* out) {
  Triple* const place = __shfl_sync(0xffffffffu, values[threadIdx.x], 3);
  out[threadIdx.x] = *place;
}

// CHECK: shfl.sync.bfly
// CHECK: shfl.sync.up
// CHECK: shfl.sync.down
// CHECK: shfl.sync.idx
// CHECK: shfl.sync.idx
__global__ void scalars(float* a, short* b, __half* c, unsigned long long* d, int n) {
  a[threadIdx.x] += __shfl_xor_sync(~0u, a[threadIdx.x], 1);
  b[threadIdx.x] += __shfl_up_sync(-1, b[threadIdx.x], n);
  c[threadIdx.x] += __shfl_down_sync(0xffffffffull, c[threadIdx.x], 1u, 16);
  d[threadIdx.x] += __shfl(d[threadIdx.x], n);
}
