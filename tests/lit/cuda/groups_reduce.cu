// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums with cooperative groups: block, tiles, coalesced threads; and the same with warp functions.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdio.h>
namespace cg = cooperative_groups;

__device__ float sumOf(cg::thread_group group, float* scratch, float value) {
  unsigned lane = group.thread_rank();
  for (unsigned i = group.size() / 2; i > 0; i /= 2) {
    scratch[lane] = value;
    group.sync();
    if (lane < i) value += scratch[lane + i];
    group.sync();
  }
  return value;
}

__global__ void blockSums(const float* in, float* out, int n) {
  __shared__ float scratch[256];
  cg::thread_block block = cg::this_thread_block();
  float value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value += in[i];
  float sum = sumOf(block, scratch, value);
  if (block.thread_rank() == 0) atomicAdd(out, sum);
}

__global__ void tileSums(const float* in, float* out) {
  auto block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  float sum = cg::reduce(tile, in[block.thread_rank()], cg::plus<float>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum + tile.shfl(sum, 3);
}

__global__ void filter(const int* in, int* out, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(count, (int)active.size());
    out[active.shfl(base, 0) + active.thread_rank()] = in[i];
  }
}

__global__ void iterate(float* data, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) data[i] *= 0.5f;
    grid.sync();
  }
}

__global__ void warpFunctions(unsigned* data) {
  unsigned value = data[threadIdx.x];
  unsigned same = __match_any_sync(0xffffffff, value);
  unsigned largest = __reduce_max_sync(0xffffffff, value);
  data[threadIdx.x] = __popc(same) + largest + __shfl_xor_sync(0xffffffff, value, 1);
}

int main() {
  float* data;
  int n = 1 << 16, steps = 4;
  cudaMalloc(&data, n * sizeof(float));
  blockSums<<<64, 256>>>(data, data, n);
  void* arguments[] = {&data, &n, &steps};
  cudaLaunchCooperativeKernel((void*)iterate, dim3(64), dim3(256), arguments, 0, 0);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
