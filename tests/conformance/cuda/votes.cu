// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Votes of a warp, barriers that count, and a fence between data and flag.
__global__ void votes(const int* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = __activemask();
  const int positive = in[i] > 0;
  unsigned* row = out + i * 7;
  row[0] = __ballot_sync(mask, positive);
  row[1] = __any_sync(mask, positive);
  row[2] = __all_sync(mask, positive);
  __syncwarp();
  row[3] = __popc(row[0]);
  row[4] = __syncthreads_count(in[i]);
  row[5] = __syncthreads_and(in[i]);
  row[6] = __syncthreads_or(in[i]);
}

/// The last block to finish adds up what the others left; which one that is differs, the sum does not.
__device__ unsigned finished;

__global__ void lastBlockSums(const int* in, int* partial, int* total) {
  __shared__ int sum;
  __shared__ bool last;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd_block(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += partial[b];
    *total = all;
  }
}
