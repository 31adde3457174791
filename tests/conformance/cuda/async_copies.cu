// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies to shared memory by cuda::pipeline, cuda::barrier and cooperative groups, of the shapes that CUDA's programming
// guide shows: shared and own pipelines, sizes with and without a promise of alignment, and odd ones.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
constexpr unsigned width = 64;

// The two-stage loop of CUDA's programming guide.
__global__ void staged(float* out, const float* in, unsigned batches) {
  __shared__ __align__(16) float tile[2][width];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (unsigned use = 0, load = 0; use < batches; ++use) {
    for (; load < batches && load < use + 2; ++load) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[load % 2], in + (blockIdx.x * batches + load) * width, cuda::aligned_size_t<16>(width * sizeof(float)), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[use % 2][threadIdx.x] * (use + 1) + tile[use % 2][(threadIdx.x + 1) % width];
    pipe.consumer_release();
  }
  out[blockIdx.x * width + threadIdx.x] = sum;
}
__global__ void own(float* out, const float* in, unsigned batches) {
  __shared__ float tile[4][width];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  float sum = 0;
  for (unsigned use = 0, load = 0; use < batches; ++use) {
    for (; load < batches && load < use + 4; ++load) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[load % 4][threadIdx.x], &in[(blockIdx.x * batches + load) * width + threadIdx.x], sizeof(float), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 2 + tile[use % 4][threadIdx.x];
    pipe.consumer_release();
  }
  out[blockIdx.x * width + threadIdx.x] = sum;
}
/// One batch ahead, all but which are waited for.
__global__ void prior(float* out, const float* in, unsigned batches) {
  __shared__ float tile[2][width];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const auto fetch = [&](unsigned load) {
    pipe.producer_acquire();
    if (load < batches)
      cuda::memcpy_async(&tile[load % 2][threadIdx.x], &in[(blockIdx.x * batches + load) * width + threadIdx.x], sizeof(float), pipe);
    pipe.producer_commit();
  };
  float sum = 0;
  fetch(0);
  for (unsigned use = 0; use < batches; ++use) {
    fetch(use + 1);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    sum = sum * 2 + tile[use % 2][threadIdx.x];
    pipe.consumer_release();
  }
  out[blockIdx.x * width + threadIdx.x] = sum;
}
__global__ void with_barrier(float* out, const float* in, unsigned n) {
  __shared__ float tile[width];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in + blockIdx.x * width, sizeof(tile), bar);
  bar.arrive_and_wait();
  out[blockIdx.x * width + threadIdx.x] = tile[width - 1 - threadIdx.x];
}
__global__ void grouped(short* out, const short* in, unsigned odd) {
  __shared__ short tile[2][width];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const unsigned first = blockIdx.x * (2 * width + 1) + odd;
  cg::memcpy_async(block, tile[0], in + first, sizeof(short) * width);
  cg::memcpy_async(block, tile[1], in + first + width, sizeof(short) * width);
  cg::wait_prior<1>(block);
  short x = tile[0][(threadIdx.x * 7) % width];
  cg::wait(block);
  x += tile[1][(threadIdx.x * 5) % width];
  block.sync();
  cg::memcpy_async(warp, &tile[0][warp.meta_group_rank() * 32], 32, in + first + warp.meta_group_rank() * 32, 40);
  cg::wait(warp);
  out[blockIdx.x * width + threadIdx.x] = x + 3 * tile[0][threadIdx.x ^ 1];
}
