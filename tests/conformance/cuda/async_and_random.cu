// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's C interface of pipelines, and cuRAND's Philox, whose numbers are those of the counter-based generator.
#include <cuda_pipeline.h>
#include <curand_kernel.h>

/// Copies of 4, 8 and 16 bytes and one that is filled with zeros, two batches under way.
__global__ void piped(const int4* in, int4* out, int batches) {
  __shared__ int4 tile[2][32];
  const int t = threadIdx.x;
  const auto fetch = [&](int b) {
    if (b < batches) {
      int4* const to = &tile[b % 2][t];
      const int4* const from = &in[b * 32 + t];
      if (b % 4 == 0) __pipeline_memcpy_async(to, from, 16);
      if (b % 4 == 1) {
        __pipeline_memcpy_async(&to->x, &from->x, 8);
        __pipeline_memcpy_async(&to->z, &from->z, 8);
      }
      if (b % 4 == 2) {
        __pipeline_memcpy_async(&to->x, &from->x, 4);
        __pipeline_memcpy_async(&to->y, &from->w, 4);
        __pipeline_memcpy_async(&to->z, &from->z, 8);
      }
      if (b % 4 == 3) __pipeline_memcpy_async(to, from, 16, 4);
    }
    __pipeline_commit();
  };
  fetch(0);
  for (int b = 0; b < batches; ++b) {
    fetch(b + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    out[b * 32 + t] = tile[b % 2][t ^ 1];
    __syncthreads();
  }
}

__global__ void philox(unsigned long long seed, unsigned long long offset, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, i, offset + i, &state);
  for (int k = 0; k < 6; ++k) out[8 * i + k] = curand(&state);
  skipahead(5, &state);
  out[8 * i + 6] = curand(&state);
  __nanosleep(10);
  out[8 * i + 7] = curand(&state);
}
