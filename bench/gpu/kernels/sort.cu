// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts and their steps.

extern "C" __global__ void bitonicStep(const unsigned* in, unsigned* out, int j, int k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int other = i ^ j;
  unsigned a = in[i], b = in[other];
  bool up = (i & k) == 0;
  bool low = i < other;
  out[i] = (low == up) ? min(a, b) : max(a, b);
}

extern "C" __global__ void bitonicShared(const float* in, float* out) {
  __shared__ float keys[512];
  int t = threadIdx.x;
  int base = blockIdx.x * 512;
  keys[t] = in[base + t];
  keys[t + 256] = in[base + t + 256];
  for (int k = 2; k <= 512; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      int i = 2 * t - (t & (j - 1));
      float a = keys[i], b = keys[i + j];
      bool up = (i & k) == 0;
      if ((a > b) == up) {
        keys[i] = b;
        keys[i + j] = a;
      }
    }
  __syncthreads();
  out[base + t] = keys[t];
  out[base + t + 256] = keys[t + 256];
}

extern "C" __global__ void oddEvenShared(const int* in, int* out) {
  __shared__ int keys[256];
  int t = threadIdx.x;
  keys[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int phase = 0; phase < 256; phase++) {
    int i = 2 * t + (phase & 1);
    if (t < 128 && i + 1 < 256 && keys[i] > keys[i + 1]) {
      int swap = keys[i];
      keys[i] = keys[i + 1];
      keys[i + 1] = swap;
    }
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = keys[t];
}

// Each element of two sorted runs finds its place in their union by a binary search.
extern "C" __global__ void mergeRanks(const unsigned* in, unsigned* out, int run, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int pair = i / (2 * run) * (2 * run);
  bool second = i - pair >= run;
  unsigned key = in[i];
  int low = 0, high = run;
  const unsigned* other = in + pair + (second ? 0 : run);
  while (low < high) {
    int middle = (low + high) / 2;
    if (second ? other[middle] <= key : other[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[i + low - (second ? run : 0)] = key;
}

extern "C" __global__ void radixCount(const unsigned* keys, unsigned* counts, int shift, int n) {
  __shared__ unsigned local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  int base = blockIdx.x * 1024;
  for (int k = 0; k < 4; k++) {
    int i = base + k * 256 + threadIdx.x;
    if (i < n) atomicAdd(&local[(keys[i] >> shift) & 15], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

// Stable, by one bit, within each block.
extern "C" __global__ void splitByBit(const unsigned* in, unsigned* out, int bit) {
  __shared__ int zerosOf[8];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  unsigned key = in[blockIdx.x * 256 + t];
  bool one = (key >> bit) & 1;
  unsigned zeros = __ballot_sync(0xffffffff, !one);
  if (lane == 0) zerosOf[warp] = __popc(zeros);
  __syncthreads();
  int before = 0, all = 0;
  for (int w = 0; w < 8; w++) {
    if (w < warp) before += zerosOf[w];
    all += zerosOf[w];
  }
  before += __popc(zeros & ((1u << lane) - 1));
  int place = one ? all + t - before : before;
  out[blockIdx.x * 256 + place] = key;
}

// Each thread sorts sixteen numbers of its own.
extern "C" __global__ void insertionSixteen(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float keys[16];
  for (int k = 0; k < 16; k++) {
    float key = in[k * n + i];
    int place = k;
    while (place > 0 && keys[place - 1] > key) {
      keys[place] = keys[place - 1];
      place--;
    }
    keys[place] = key;
  }
  for (int k = 0; k < 16; k++) out[k * n + i] = keys[k];
}
