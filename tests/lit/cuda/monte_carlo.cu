// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers in kernels: an estimate of pi, with states that live between launches.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2> %t.cuda
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
#include <curand_kernel.h>
#include <iostream>

__global__ void prepare(curandState* states, unsigned long long seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}

__global__ void count(curandState* states, unsigned long long* hits, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState local = states[i];
  unsigned inside = 0;
  for (int k = 0; k < rounds; ++k) {
    float x = curand_uniform(&local), y = curand_uniform(&local);
    inside += x * x + y * y <= 1.0f;
  }
  atomicAdd(hits, (unsigned long long)inside);
  states[i] = local;
}

__global__ void normals(float4* out, unsigned long long seed) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand_normal4(&state);
}

int main() {
  curandState* states;
  unsigned long long* hits;
  cudaMalloc(&states, 256 * 64 * sizeof(curandState));
  cudaMalloc(&hits, sizeof *hits);
  cudaMemset(hits, 0, sizeof *hits);
  prepare<<<64, 256>>>(states, 1234ULL);
  count<<<64, 256>>>(states, hits, 1000);
  normals<<<1, 32>>>(NULL, 1);
  std::cout << "done" << std::endl;
}
