// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps in step without barriers, as code was written before __syncwarp: each line a volatile access of shared memory
// that all lanes make before any makes the next.

// The end of a tree: the last warp alone.
template <int items>
__device__ void lastWarp(volatile int* tree, int item) {
  if (items >= 64) tree[item] += tree[item + 32];
  if (items >= 32) tree[item] += tree[item + 16];
  if (items >= 16) tree[item] += tree[item + 8];
  if (items >= 8) tree[item] += tree[item + 4];
  if (items >= 4) tree[item] += tree[item + 2];
  if (items >= 2) tree[item] += tree[item + 1];
}

template <int items>
__global__ void tree(const int* in, int* out) {
  extern __shared__ int partial[];
  const int item = threadIdx.x;
  partial[item] = in[blockIdx.x * items + item];
  __syncthreads();
  for (int half = items / 2; half > 32; half /= 2) {
    if (item < half) partial[item] += partial[item + half];
    __syncthreads();
  }
  if (item < 32) lastWarp<items>(partial, item);
  if (item == 0) out[blockIdx.x] = partial[0];
}

// A scan of a warp with zeros in front instead of branches, in a loop.
__global__ void paddedScan(const int* in, int* out) {
  __shared__ volatile int rows[4][48];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  volatile int* const row = rows[warp] + 16;
  if (lane < 16) rows[warp][lane] = 0;
  row[lane] = in[threadIdx.x];
  int sum = in[threadIdx.x];
  for (int distance = 1; distance < 32; distance *= 2) {
    sum += row[lane - distance];
    row[lane] = sum;
  }
  out[threadIdx.x] = sum;
}

// Neighbours change places: each lane reads before the other has written.
__global__ void exchange(const int* in, int* out, int rounds) {
  __shared__ int own[128];
  volatile int* const v = own;
  const int item = threadIdx.x;
  v[item] = in[item];
  for (int round = 0; round < rounds; ++round) {
    const int other = v[item ^ (1 << round % 5)];
    v[item] = other + round;
  }
  out[item] = v[item];
}
