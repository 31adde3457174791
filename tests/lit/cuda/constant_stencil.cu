// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coefficients in constant memory, tiles in shared memory, C linkage, a device function between two kernels.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2> %t.cuda
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %lathe run %s -t cpu --grid 2 --group 64 -k smooth --arg iota:f32[128] --arg zeros:f32[128] --arg 128 --print 1:3 | FileCheck %s
// CHECK: 0 0 0
#include <cstdio>
#include <cstdlib>
#define RADIUS 2
#define BLOCK 64

__constant__ float weights[2 * RADIUS + 1];
__device__ int launches;

static __device__ __forceinline__ float at(const float* tile, int i) {
  float sum = 0.f;
#pragma unroll
  for (int k = -RADIUS; k <= RADIUS; ++k) sum += weights[k + RADIUS] * tile[i + k];
  return sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) smooth(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[BLOCK + 2 * RADIUS];
  const int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x + RADIUS;
  tile[t] = i < n ? in[i] : 0.f;
  if (threadIdx.x < RADIUS) {
    tile[t - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0.f;
    tile[t + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0.f;
  }
  __syncthreads();
  if (i < n) out[i] = at(tile, t);
  if (i == 0) atomicAdd(&launches, 1);
}

int main() {
  float host[2 * RADIUS + 1] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
  cudaMemcpyToSymbol(weights, host, sizeof(host));
  int zero = 0;
  cudaMemcpyToSymbol(launches, &zero, sizeof(int), 0, cudaMemcpyHostToDevice);
  float *in, *out;
  cudaMallocManaged(&in, 1024 * sizeof(float));
  cudaMallocManaged(&out, 1024 * sizeof(float));
  smooth<<<1024 / BLOCK, BLOCK>>>(in, out, 1024);
  cudaMemcpyFromSymbol(&zero, launches, sizeof(int));
  printf("%d\n", zero);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
