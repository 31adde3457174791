// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch-sized shared memory of several types under one name or many, and the helper class that samples use for templates.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2> %t.cuda
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
#include <cstdio>

template <class T>
struct SharedMemory {
  __device__ inline operator T*() {
    extern __shared__ int bytes[];
    return (T*)bytes;
  }
};

template <class T, unsigned Block>
__global__ void reduce(const T* in, T* out, unsigned n) {
  T* data = SharedMemory<T>();
  unsigned i = blockIdx.x * Block + threadIdx.x;
  T sum = 0;
  for (; i < n; i += Block * gridDim.x) sum += in[i];
  data[threadIdx.x] = sum;
  __syncthreads();
  if (Block >= 128) {
    if (threadIdx.x < 64) data[threadIdx.x] = sum = sum + data[threadIdx.x + 64];
    __syncthreads();
  }
  for (unsigned s = 32; s > 0; s >>= 1) {
    if (threadIdx.x < s) data[threadIdx.x] = sum = sum + data[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

extern __shared__ float2 pairs[];
__global__ void swapPairs(float2* data) {
  pairs[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = make_float2(pairs[threadIdx.x].y, pairs[threadIdx.x].x);
}

extern __shared__ char raw[];
__global__ void mixed(double* data, int n) {
  double* first = (double*)raw;
  int* second = (int*)&first[n];
  first[threadIdx.x] = data[threadIdx.x];
  second[threadIdx.x] = (int)data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = first[n - 1 - threadIdx.x] + second[threadIdx.x];
}

template <class T>
void run(unsigned blocks, unsigned threads, T* data) {
  switch (threads) {
    case 128: reduce<T, 128><<<blocks, threads, threads * sizeof(T)>>>(data, data, 1000); break;
    case 64: reduce<T, 64><<<blocks, threads, threads * sizeof(T)>>>(data, data, 1000); break;
  }
}

int main(int argc, char**) {
  run<int>(4, argc, nullptr);
  run<double>(4, argc, nullptr);
  swapPairs<<<1, 32, 32 * sizeof(float2)>>>(nullptr);
  mixed<<<1, 32, 32 * 12>>>(nullptr, 32);
  printf("done\n");
}
