// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions: by trees in shared memory, by shuffles, by atomics, of rows.

extern "C" __global__ void sumTree(const float* x, float* partial, int n) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  sums[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = sums[0];
}

template <typename T>
__device__ T warpSum(T value) {
  for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

template <typename T>
__device__ T blockSum(T value) {
  __shared__ T sums[32];
  value = warpSum(value);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : T(0);
  if (threadIdx.x < 32) value = warpSum(value);
  return value;
}

extern "C" __global__ void sumShuffle(const float* __restrict__ x, float* __restrict__ partial, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  sum = blockSum(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

extern "C" __global__ void sumAtomic(const float4* __restrict__ x, float* total, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float4 v = x[i];
    sum += v.x + v.y + v.z + v.w;
  }
  sum = blockSum(sum);
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

extern "C" __global__ void dotDouble(const double* x, const double* y, double* partial, int n) {
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  sum = blockSum(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

extern "C" __global__ void maxPlace(const float* x, float* best, int* place, int n) {
  __shared__ float values[256];
  __shared__ int places[256];
  int t = threadIdx.x;
  float value = -1e30f;
  int at = -1;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    if (x[i] > value) {
      value = x[i];
      at = i;
    }
  values[t] = value;
  places[t] = at;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (t < s && (values[t + s] > values[t] || (values[t + s] == values[t] && places[t + s] < places[t]))) {
      values[t] = values[t + s];
      places[t] = places[t + s];
    }
    __syncthreads();
  }
  if (t == 0) {
    best[blockIdx.x] = values[0];
    place[blockIdx.x] = places[0];
  }
}

extern "C" __global__ void countBallot(const int* x, unsigned long long* count, int limit, int n) {
  int found = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - threadIdx.x < n; i += gridDim.x * blockDim.x) {
    bool hit = i < n && x[i] < limit;
    found += __popc(__ballot_sync(0xffffffff, hit));
  }
  if (threadIdx.x % 32 == 0) atomicAdd(count, (unsigned long long)found);
}

extern "C" __global__ void rowVariance(const float* x, float* out, int cols) {
  const float* row = x + (size_t)blockIdx.x * cols;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) {
    float v = row[i];
    sum += v;
    squares += v * v;
  }
  __shared__ float mean;
  sum = blockSum(sum);
  if (threadIdx.x == 0) mean = sum / cols;
  __syncthreads();
  squares = blockSum(squares);
  if (threadIdx.x == 0) out[blockIdx.x] = squares / cols - mean * mean;
}
