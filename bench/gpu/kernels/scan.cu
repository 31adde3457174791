// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans of blocks, stream compaction and histograms.

extern "C" __global__ void scanDoubling(const float* in, float* out, int n) {
  __shared__ float buffer[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  int from = 0;
  buffer[0][t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int offset = 1; offset < 256; offset *= 2) {
    int to = 1 - from;
    buffer[to][t] = t >= offset ? buffer[from][t] + buffer[from][t - offset] : buffer[from][t];
    from = to;
    __syncthreads();
  }
  if (i < n) out[i] = buffer[from][t];
}

// Exclusive; up and down a tree, two elements a thread.
extern "C" __global__ void scanTree(const int* in, int* out, int n) {
  __shared__ int tree[512];
  int t = threadIdx.x;
  int base = blockIdx.x * 512;
  tree[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
  tree[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
  int step = 1;
  for (int d = 256; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) tree[step * (2 * t + 2) - 1] += tree[step * (2 * t + 1) - 1];
    step *= 2;
  }
  if (t == 0) tree[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    step >>= 1;
    __syncthreads();
    if (t < d) {
      int a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1;
      int left = tree[a];
      tree[a] = tree[b];
      tree[b] += left;
    }
  }
  __syncthreads();
  if (base + 2 * t < n) out[base + 2 * t] = tree[2 * t];
  if (base + 2 * t + 1 < n) out[base + 2 * t + 1] = tree[2 * t + 1];
}

__device__ int scanWarp(int value, int lane) {
  for (int offset = 1; offset < 32; offset <<= 1) {
    int other = __shfl_up_sync(0xffffffff, value, offset);
    if (lane >= offset) value += other;
  }
  return value;
}

__device__ int scanBlock(int value) {
  __shared__ int sums[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  value = scanWarp(value, lane);
  if (lane == 31) sums[warp] = value;
  __syncthreads();
  if (warp == 0) sums[lane] = scanWarp(lane < blockDim.x / 32 ? sums[lane] : 0, lane);
  __syncthreads();
  return warp > 0 ? value + sums[warp - 1] : value;
}

extern "C" __global__ void scanShuffle(const int* in, int* out, int* totals, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = scanBlock(i < n ? in[i] : 0);
  if (i < n) out[i] = sum;
  if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = sum;
}

// Keeps the positive ones of each block, in order, at the block's own place.
extern "C" __global__ void compactBlock(const int* in, int* out, int* kept, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  int flag = value > 0;
  int place = scanBlock(flag);
  if (flag) out[blockIdx.x * blockDim.x + place - 1] = value;
  if (threadIdx.x == blockDim.x - 1) kept[blockIdx.x] = place;
}

// Inclusive, starting anew at each flag.
extern "C" __global__ void scanSegments(const float* in, const unsigned char* heads, float* out, int n) {
  __shared__ float sums[256];
  __shared__ int flags[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  float sum = i < n ? in[i] : 0;
  int flag = i < n ? heads[i] : 1;
  for (int offset = 1; offset < 256; offset <<= 1) {
    sums[t] = sum;
    flags[t] = flag;
    __syncthreads();
    if (t >= offset) {
      if (!flag) sum += sums[t - offset];
      flag |= flags[t - offset];
    }
    __syncthreads();
  }
  if (i < n) out[i] = sum;
}

extern "C" __global__ void histogramGlobal(const unsigned* data, unsigned* bins, int n, int shift) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&bins[data[i] >> shift], 1u);
}

extern "C" __global__ void histogramShared(const uchar4* data, unsigned* bins, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    uchar4 v = data[i];
    atomicAdd(&local[v.x], 1u);
    atomicAdd(&local[v.y], 1u);
    atomicAdd(&local[v.z], 1u);
    atomicAdd(&local[v.w], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
