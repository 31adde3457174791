// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where items are loops, a barrier ends one. A short loop with a barrier is unrolled in a function that the kernel has once, and not
// in one that it has four times.
// RUN: %compile %s -t cpu -k once -o %t.limg --dump-after work_groups 2> %t.once
// RUN: FileCheck %s --check-prefix=ONCE < %t.once
// RUN: %compile %s -t cpu -k fourTimes -o %t.limg --dump-after work_groups 2> %t.four
// RUN: FileCheck %s --check-prefix=FOUR < %t.four
// ONCE: fdiv
// ONCE: fdiv
// ONCE: fdiv
// ONCE: fdiv
// FOUR-LABEL: define internal void @_Z9fourTimes{{.*}}.group
// FOUR-COUNT-4: fdiv
// FOUR-NOT: fdiv
// FOUR: ret void
__device__ __noinline__ void spread(float* shared, unsigned at) {
  for (unsigned step = 8; step > 0; step >>= 1) {
    const float a = shared[at], b = shared[at ^ step];
    const float m = (a - b) * (a + b) + a * 0.25f - b * 0.125f + 1;
    const float n = (m - a) * (b + m) + m * 0.75f - b * 0.375f + 2;
    __syncthreads();
    shared[at] = m / (n * n + 1);
    __syncthreads();
  }
}
__device__ __noinline__ void twice(float* shared, unsigned at, float factor) {
  spread(shared, at);
  shared[at] *= factor;
  __syncthreads();
  spread(shared, at);
}

__global__ void once(float* out) {
  __shared__ float shared[16];
  shared[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  spread(shared, threadIdx.x);
  out[threadIdx.x] = shared[threadIdx.x];
}

__global__ void fourTimes(float* out) {
  __shared__ float shared[16];
  shared[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  twice(shared, threadIdx.x, 3);
  shared[threadIdx.x] += 1;
  __syncthreads();
  twice(shared, threadIdx.x, 5);
  out[threadIdx.x] = shared[threadIdx.x];
}
