// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's functions declared anew with the marks of its own headers, as programs do whose editors do not know them.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o - | FileCheck %s %}
// CHECK: .entry _Z6fencesP4Pair
// CHECK: bar{{(rier)?}}.sync
// CHECK: {{membar|fence}}
extern __device__ __device_builtin__ void __syncthreads(void);
extern __device__ __device_builtin__ void __threadfence(void);
extern "C" __device__ __device_builtin__ void __threadfence_block(void);
extern __host__ __device__ __cudart_builtin__ float sinf(float);
extern __device__ __device_builtin__ int __clz(int);

struct __device_builtin__ __builtin_align__(8) Pair {
  int x, y;
};
typedef __device_builtin__ struct Pair Pair;

__inline_hint__ __device__ int twice(int value) {
  return 2 * value;
}
__no_return__ __device__ void fail() {
  for (;;) __trap();
}

__global__ void fences(Pair* pairs) {
  if (pairs[0].x < 0) fail();
  pairs[threadIdx.x].x = twice(__clz(pairs[threadIdx.x].y));
  __syncthreads();
  __threadfence();
  __threadfence_block();
  pairs[threadIdx.x].y = pairs[threadIdx.x ^ 1].x + static_cast<int>(sinf(1.0f));
}
