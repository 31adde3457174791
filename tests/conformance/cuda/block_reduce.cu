// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sum of a block by halving in launch-sized shared memory, then one atomic a block.
#include <cuda_runtime.h>

extern __shared__ float partial[];

__global__ void blockSum(const float* in, float* out, int n) {
  const unsigned tid = threadIdx.x;
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  partial[tid] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) partial[tid] += partial[tid + s];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, partial[0]);
}
