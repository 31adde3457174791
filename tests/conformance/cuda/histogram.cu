// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Byte histogram: private bins of the block in shared memory, merged by atomics.
__global__ void histogram(const unsigned char* data, unsigned n, unsigned* bins) {
  __shared__ unsigned local[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd_block(&local[data[i]], 1);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
    if (local[i]) atomicAdd(&bins[i], local[i]);
}
