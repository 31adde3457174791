// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps that go different ways: each meets itself alone, and the block's barriers wait for all.
__device__ int warpSumOf(int value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

/// The usual sum over a block: the first warp adds up what the others found.
__global__ void blockSums(const int* in, int* sums) {
  __shared__ int parts[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = warpSumOf(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (lane == 0) parts[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warpSumOf(lane < blockDim.x / 32 ? parts[lane] : 0);
    if (lane == 0) sums[blockIdx.x] = sum;
  }
}

/// Each warp takes as many turns as its number says; odd ones stay away from the votes.
__global__ void unlikeWarps(const int* in, int* out) {
  __shared__ int rounds;
  const int warp = threadIdx.x / 32;
  int value = in[threadIdx.x];
  if (threadIdx.x == 0) rounds = 3;
  for (int turn = 0; turn <= warp; ++turn) value = __shfl_xor_sync(0xffffffffu, value, turn + 1) + turn;
  if (warp % 2 == 0) {
    const unsigned low = __ballot_sync(0xffffffffu, value % 3 == 0);
    value += __popc(low) * 1000;
    if (__any_sync(0xffffffffu, value % 7 == 0)) value = __shfl_sync(0xffffffffu, value, 5, 8);
  }
  __syncthreads();
  out[threadIdx.x] = value * rounds;
}

/// Half of a warp alone, and data that a warp hands on through shared memory.
__global__ void halfWarps(const int* in, int* out) {
  __shared__ int ring[128];
  const int i = threadIdx.y * blockDim.x + threadIdx.x, lane = i % 32;
  int value = in[i];
  if (lane < 16) {
    for (int offset = 8; offset > 0; offset /= 2) value += __shfl_down_sync(0x0000ffffu, value, offset, 16);
  } else {
    value = __shfl_up_sync(0xffff0000u, value, 1, 16);
  }
  for (int turn = 0; turn < 3; ++turn) {
    ring[i] = value;
    __syncwarp();
    value += ring[i / 32 * 32 + (lane + 1) % 32];
    __syncwarp();
  }
  out[i] = value;
}

/// Shuffles by constants, as optimisation sees them: each distance within a warp, and within its halves and quarters.
__global__ void fixedShuffles(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const int value = in[i];
  int row = 0;
#pragma unroll
  for (int mask = 0; mask < 32; ++mask) out[row++ * n + i] = __shfl_xor_sync(~0u, value, mask);
#pragma unroll
  for (int delta = 1; delta < 16; ++delta) {
    out[row++ * n + i] = __shfl_up_sync(~0u, value, delta, 16);
    out[row++ * n + i] = __shfl_down_sync(~0u, value, delta, 16);
  }
#pragma unroll
  for (int delta = 1; delta < 8; ++delta) {
    out[row++ * n + i] = __shfl_up_sync(~0u, value, delta, 8);
    out[row++ * n + i] = __shfl_down_sync(~0u, value, delta, 8);
    out[row++ * n + i] = __shfl_sync(~0u, value, 4 * delta);
  }
}
