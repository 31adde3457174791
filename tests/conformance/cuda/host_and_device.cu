// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole program's file: host functions launch kernels and use what CUDA offers on both sides. Only kernels are
// compiled.
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

__host__ __device__ inline float clampTo(float x, float low, float high) {
  return min(max(x, low), high);
}

__global__ void clampAll(float* data, int n, float low, float high) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = clampTo(data[i], low, high);
}

__host__ float reference(float x) {
  return clampTo(sqrtf(fabsf(x)), 0.f, 1.f) + make_float2(1, 2).y;
}

void launch(float* data, int n, cudaStream_t stream) {
  const dim3 block(256), grid((n + block.x - 1) / block.x);
  clampAll<<<grid, block, 0, stream>>>(data, n, -1.f, reference(4.f));
}
