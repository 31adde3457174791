#include "language.h"

static __device__ int helper(int x) { return x + 1; }
namespace {
__device__ int hidden = 10;
}
__constant__ int offset = 3;
__device__ int seen = 0;

__global__ void apply(int n, const int* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = scaled(in[i]) + table[i & 3] * helper(in[i]) + hidden + tagged({i, 0.5f});
  if (i == n - 1) seen = n;
}
