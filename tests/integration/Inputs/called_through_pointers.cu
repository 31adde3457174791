// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Virtual functions and a table of functions, which use ids, shared memory, barriers and the kernel's state.
#include <cstdio>

struct Operation {
  __device__ virtual float at(const float* x) const = 0;
  __device__ virtual ~Operation() {}
};
struct Scaled : Operation {
  float factor;
  __device__ explicit Scaled(float factor) : factor(factor) {}
  __device__ float at(const float* x) const override { return factor * x[threadIdx.x]; }
};
struct Mirrored : Operation {
  __device__ float at(const float* x) const override {
    if (x[0] > 1e30f) printf("%f is large\n", x[0]);
    return x[blockDim.x - 1 - threadIdx.x];
  }
};
struct Total : Operation {
  __device__ float at(const float* x) const override {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, x[threadIdx.x]);
    __syncthreads();
    return total;
  }
};

using Function = float (*)(float);
__device__ float half(float x) { return x / 2; }
__device__ float negated(float x) { return -x; }
__device__ Function functions[] = {half, negated, nullptr};

extern "C" __global__ void pick(const float* x, float* y, int operation, int function) {
  Scaled scaled(3);
  Mirrored mirrored;
  Total total;
  const Operation* const operations[] = {&scaled, &mirrored, &total};
  const float value = operations[operation]->at(x);
  y[threadIdx.x] = functions[function] ? functions[function](value) : value;
}
