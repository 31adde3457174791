#include "language.h"

static __device__ int helper(int x) { return x * 2; }
namespace {
__device__ int hidden = 20;
}
extern __constant__ int offset;
__device__ float table[4] = {1, 2, 4, 8};

__device__ float scaled(int x) { return table[x & 3] * helper(x) + offset + hidden; }
__device__ int tagged(Pair pair) { return pair.first * 100 + int(pair.second * 4); }

template <class T>
__global__ void fill(int n, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = T(scaled(i)) + T(helper(i));
}
#ifndef __CUDACC__
template void fill<float>(int n, float* out);
#endif
