// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans, sorts, histograms and compaction within a block and across blocks.
#include <cuda_runtime.h>

template <int N>
__global__ void blelloch(const int* in, int* out, int* sums) {
  __shared__ int data[2 * N];
  const int base = blockIdx.x * 2 * N, t = threadIdx.x;
  data[2 * t] = in[base + 2 * t];
  data[2 * t + 1] = in[base + 2 * t + 1];
  int offset = 1;
  for (int d = N; d > 0; d >>= 1, offset *= 2) {
    __syncthreads();
    if (t < d) data[offset * (2 * t + 2) - 1] += data[offset * (2 * t + 1) - 1];
  }
  if (t == 0) {
    sums[blockIdx.x] = data[2 * N - 1];
    data[2 * N - 1] = 0;
  }
  for (int d = 1; d < 2 * N; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1, swap = data[left];
      data[left] = data[right];
      data[right] += swap;
    }
  }
  __syncthreads();
  out[base + 2 * t] = data[2 * t];
  out[base + 2 * t + 1] = data[2 * t + 1];
}

__global__ void bitonic(unsigned* keys, int n) {
  extern __shared__ unsigned shared[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) shared[i] = keys[blockIdx.x * n + i];
  for (int size = 2; size <= n; size <<= 1)
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const int j = i ^ stride;
        if (j > i && (shared[i] > shared[j]) == ((i & size) == 0)) {
          const unsigned swap = shared[i];
          shared[i] = shared[j];
          shared[j] = swap;
        }
      }
    }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) keys[blockIdx.x * n + i] = shared[i];
}

__device__ int inclusiveWarpScan(int value) {
  for (int d = 1; d < 32; d <<= 1) {
    const int below = __shfl_up_sync(0xffffffffu, value, d);
    if ((threadIdx.x & 31) >= d) value += below;
  }
  return value;
}
/// What the threads before have in all, and (total) what all have.
__device__ int blockScan(int value, int* total) {
  __shared__ int warps[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int inclusive = inclusiveWarpScan(value);
  if (lane == 31) warps[warp] = inclusive;
  __syncthreads();
  if (warp == 0) {
    const int sum = lane < blockDim.x / 32 ? warps[lane] : 0;
    warps[lane] = inclusiveWarpScan(sum);
  }
  __syncthreads();
  *total = warps[blockDim.x / 32 - 1];
  const int out = inclusive - value + (warp ? warps[warp - 1] : 0);
  __syncthreads();
  return out;
}

// Least significant digit first, four bits a pass, one block, any number of keys with values.
__global__ void radixSort(unsigned* keys, int* values, unsigned* spareKeys, int* spareValues, int n) {
  __shared__ int starts[16], place[17];
  for (int shift = 0; shift < 32; shift += 4) {
    if (threadIdx.x < 16) starts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&starts[keys[i] >> shift & 15], 1);
    __syncthreads();
    if (threadIdx.x == 0) {
      int sum = 0;
      for (int d = 0; d < 16; ++d) {
        place[d] = sum;
        sum += starts[d];
      }
    }
    __syncthreads();
    for (int first = 0; first < n; first += blockDim.x) {
      const int i = first + threadIdx.x;
      const unsigned key = i < n ? keys[i] : 0;
      const int digit = i < n ? static_cast<int>(key >> shift & 15) : -1;
      for (int d = 0; d < 16; ++d) {
        int total;
        const int rank = blockScan(digit == d, &total);
        if (digit == d) {
          spareKeys[place[d] + rank] = key;
          spareValues[place[d] + rank] = values[i];
        }
        __syncthreads();
        if (threadIdx.x == 0) place[d] += total;
      }
    }
    __syncthreads();
    unsigned* const k = keys;
    keys = spareKeys;
    spareKeys = k;
    int* const v = values;
    values = spareValues;
    spareValues = v;
  }
}

__global__ void histogram(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
    const uchar4 four = reinterpret_cast<const uchar4*>(data)[i];
    atomicAdd(&own[four.x], 1u);
    atomicAdd(&own[four.y], 1u);
    atomicAdd(&own[four.z], 1u);
    atomicAdd(&own[four.w], 1u);
  }
  __syncthreads();
  if (own[threadIdx.x]) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// Positive numbers to the front, one atomic a warp; their order is the blocks'.
__global__ void compact(const int* in, int* out, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const bool keep = i < n && in[i] > 0;
  const unsigned kept = __ballot_sync(0xffffffff, keep);
  int base = 0;
  if (lane == 0 && kept) base = atomicAdd(count, __popc(kept));
  base = __shfl_sync(0xffffffff, base, 0);
  if (keep) out[base + __popc(kept & ((1u << lane) - 1))] = in[i];
}

// Runs of equal keys: the sum of each, at the run's first place. Blocks look at their own part only.
__global__ void segmentedSum(const int* keys, const int* values, int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const int key = i < n ? keys[i] : -1;
  int sum = i < n ? values[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    const int otherKey = __shfl_down_sync(0xffffffff, key, d), other = __shfl_down_sync(0xffffffff, sum, d);
    if (lane + d < 32 && otherKey == key) sum += other;
  }
  const int before = __shfl_up_sync(0xffffffff, key, 1);
  if (i < n && (lane == 0 || before != key)) atomicAdd(&sums[key], sum);
}

// Merge path: thread d finds where the diagonal d cuts both lists and merges its share.
__global__ void mergeLists(const int* a, int na, const int* b, int nb, int* out, int share) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * share, end = min(first + share, na + nb);
  if (first >= na + nb) return;
  int low = max(0, first - nb), high = min(first, na);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[first - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  int i = low, j = first - low;
  for (int k = first; k < end; ++k) out[k] = j >= nb || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
}

int main() {
  blelloch<64><<<4, 64>>>(nullptr, nullptr, nullptr);
  bitonic<<<2, 64, 256 * sizeof(unsigned)>>>(nullptr, 256);
}
