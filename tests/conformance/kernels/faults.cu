// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that do what they must not, and some that do a long piece of work, for fault_test.cpp.
#include <cuda.h>

extern "C" __global__ void store(int* at) {
  *at = 1;
}
extern "C" __global__ void storeApart(char* at) {
  *reinterpret_cast<int*>(at + 1) = 1;
}
extern "C" __global__ void fill(int* out, int value) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
/// out[i] = start after `rounds` steps of a generator of random numbers.
extern "C" __global__ void spin(unsigned* out, unsigned start, unsigned rounds) {
  unsigned x = start + threadIdx.x;
  for (unsigned i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
/// Needs more registers than a group of 1,024 items has.
extern "C" __global__ void crowded(float* data, int n) {
  float values[192];
#pragma unroll
  for (int i = 0; i < 192; ++i) values[i] = data[i * 1024 + threadIdx.x];
  for (int k = 0; k < n; ++k) {
#pragma unroll
    for (int i = 0; i < 192; ++i) values[i] = values[i] * values[(i + 7) % 192] + data[k];
  }
#pragma unroll
  for (int i = 0; i < 192; ++i) data[i * 1024 + threadIdx.x] = values[i];
}
extern "C" __global__ void __launch_bounds__(256) bounded(int* out) {
  out[threadIdx.x] = 1;
}
extern "C" __global__ void borrowing(int* out) {
  extern __shared__ int block[];
  block[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = block[blockDim.x - 1 - threadIdx.x];
}
/// Copies the tile of 16 rows of 32 floats that begins at (x, y); x is a multiple of 4.
extern "C" __global__ void tileOf(const __grid_constant__ CUtensorMap map, float* out, int x, int y) {
#if __CUDA_ARCH__ >= 900
  __shared__ alignas(128) float tile[16 * 32];
  __shared__ unsigned long long arrived;
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  const auto barrier = static_cast<unsigned>(__cvta_generic_to_shared(&arrived));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 2048;" ::"r"(barrier) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
        "l"(&map), "r"(x), "r"(y), "r"(barrier)
        : "memory");
  }
  __syncthreads();
  for (unsigned done = 0; !done;) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(barrier)
        : "memory");
  }
  for (int i = threadIdx.x; i < 16 * 32; i += blockDim.x) out[i] = tile[i];
#endif
}
