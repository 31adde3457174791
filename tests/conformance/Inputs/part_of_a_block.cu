// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier for the first 32 threads of a block: right where threads wait for some of the others, and where they cannot
// an error, never another result.
#include <cuda/barrier>
__global__ void reversed(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int tile[32];
  const unsigned i = threadIdx.x;
  if (i == 0) init(&barrier, 32);
  __syncthreads();
  if (i < 32) {
    tile[i] = i;
    barrier.arrive_and_wait();
    out[i] = tile[31 - i];
  }
}
