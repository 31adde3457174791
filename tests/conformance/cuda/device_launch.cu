// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that launch kernels: arguments of every kind, order in a stream and behind a grid, recursion, streams of
// their own, launches from functions and templates.
#include <cuda_runtime.h>

struct Weights {
  char tag;
  double factor;
  short3 steps;
};

__global__ void weigh(long long* out, int n, short offset, Weights weights, const int* in, bool negative) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const long long sum = static_cast<long long>(in[i] * weights.factor) + offset + weights.tag + weights.steps.z;
  out[i] = negative ? -sum : sum;
}

/// One thread launches for the whole grid: what the others wrote is not needed.
__global__ void everyArgument(const int* in, long long* out, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    weigh<<<(n + 31) / 32, 32>>>(out, n, -7, Weights{3, 2.5, make_short3(1, 2, 30000)}, in, true);
}

__global__ void square(int* data, int first, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[first + i] = data[first + i] * data[first + i] % 10007;
}
__global__ void addOne(int* data, int first, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[first + i] += 1;
}

template <class... Stages>
__device__ void inOrder(int* data, int first, int n, Stages... stages) {
  (stages<<<dim3((n + 15) / 16), dim3(16)>>>(data, first, n), ...);
}

/// Launches of a block come one after the other, and see what the block wrote before.
__global__ void pipeline(int* data, int n) {
  const int share = n / static_cast<int>(gridDim.x), first = static_cast<int>(blockIdx.x) * share;
  for (int i = static_cast<int>(threadIdx.x); i < share; i += static_cast<int>(blockDim.x)) data[first + i] += 2;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int round = 0; round < 3; ++round) inOrder(data, first, share, square, addOne);
}

__device__ void exchange(int& a, int& b) {
  const int old = a;
  a = b;
  b = old;
}

/// Hoare's partition, then a kernel for each side, in a stream of its own.
__global__ void quicksort(int* data, int first, int last, int depth) {
  if (last - first < 8 || depth == 0) {
    for (int i = first + 1; i <= last; ++i)
      for (int j = i; j > first && data[j - 1] > data[j]; --j) exchange(data[j - 1], data[j]);
    return;
  }
  const int pivot = data[(first + last) / 2];
  int i = first, j = last;
  while (i <= j) {
    while (data[i] < pivot) ++i;
    while (data[j] > pivot) --j;
    if (i <= j) exchange(data[i++], data[j--]);
  }
  cudaStream_t left, right;
  cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
  if (first < j) quicksort<<<1, 1, 0, left>>>(data, first, j, depth - 1);
  if (i < last) quicksort<<<1, 1, 0, right>>>(data, i, last, depth - 1);
  cudaStreamDestroy(left);
  cudaStreamDestroy(right);
}

__global__ void note(int* log, int what) {
  log[1 + atomicAdd(log, 1)] = what;
}
/// A kernel behind the grid runs after all that the grid launches, however early it is launched.
__global__ void behind(int* log, int depth) {
  if (threadIdx.x != 0) return;
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 100 + depth);
  note<<<1, 1>>>(log, depth);
  if (depth > 0) behind<<<1, 4>>>(log, depth - 1);
  note<<<1, 1>>>(log, 10 + depth);
}

/// A kernel that begins itself anew behind itself, often.
__global__ void repeat(int* data, int left) {
  data[threadIdx.x] = data[threadIdx.x] * 3 + left;
  __syncthreads();
  if (threadIdx.x == 0 && left > 0) repeat<<<1, blockDim.x, 0, cudaStreamTailLaunch>>>(data, left - 1);
}

extern __shared__ int scratch[];
template <int Scale>
__global__ void reversed(int* data, int n) {
  const int i = static_cast<int>(threadIdx.x);
  scratch[i] = data[i];
  __syncthreads();
  if (i < n) data[i] = Scale * scratch[n - 1 - i];
}
/// Launch-sized shared memory, templates, and a kernel that is chosen at run time.
__global__ void chosen(int* data, int n, int* status) {
  void (*const kernels[])(int*, int) = {reversed<2>, reversed<-3>};
  if (threadIdx.x == 0) {
    kernels[data[0] & 1]<<<1, n, n * sizeof(int)>>>(data, n);
    *status = cudaGetLastError();
  }
}
