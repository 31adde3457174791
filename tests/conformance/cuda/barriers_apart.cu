// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier of a cooperative group that is the block: threads of one warp may come to it at different calls (sm_70 and
// later), which __syncthreads() does not allow. Where hardware has one program counter for a warp or none is known, all
// threads take the same call.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

#ifdef __LATHE__
#define TOLD_APART (__lathe_target_is("cuda") || __lathe_target_is("cpu"))
#else
#define TOLD_APART true
#endif

/// Which of `calls` calls this thread takes.
__device__ unsigned callOf(unsigned calls, unsigned turn) {
  return TOLD_APART ? (threadIdx.x + turn) % calls : turn % calls;
}

__global__ void twoBranches(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[128];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned i = threadIdx.x, n = blockDim.x;
  tile[i] = in[blockIdx.x * n + i];
  unsigned found;
  if (callOf(2, 0) == 0) {
    block.sync();
    found = tile[(i + 1) % n] * 3;
  } else {
    cg::sync(block);
    found = tile[(i + n - 1) % n] * 5;
  }
  // As callOf(2, 0) is the same for all threads where they are not told apart, so is what follows from it.
  out[blockIdx.x * n + i] = TOLD_APART || i % 2 == 0 ? found : tile[(i + n - 1) % n] * 5;
}

/// Each turn passes on the neighbour's value, by way of another call for each third of the threads.
__global__ void callsInTurn(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[128];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_group any = block;
  const unsigned i = threadIdx.x, n = blockDim.x;
  unsigned value = in[blockIdx.x * n + i];
  for (unsigned turn = 0; turn < 7; ++turn) {
    tile[i] = value;
    switch (callOf(3, turn)) {
      case 0:
        block.sync();
        value = tile[(i + 1) % n] + turn;
        break;
      case 1:
        any.sync();
        value = tile[(i + 1) % n] + turn;
        break;
      default:
        cg::wait(block);
        value = tile[(i + 1) % n] + turn;
    }
    block.sync();
  }
  out[blockIdx.x * n + i] = value;
}

/// A block that is launched as its own cluster, in the words for clusters: the next thread's value by way of the block's
/// shared memory, and where the block is.
__global__ void clusterOfOne(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[128];
  const unsigned i = threadIdx.x, n = blockDim.x;
  tile[i] = in[blockIdx.x * n + i];
#if defined __LATHE__ || __CUDA_ARCH__ >= 900
  __cluster_barrier_arrive();
  const unsigned index = __clusterIdx().x * __clusterDim().x + __clusterRelativeBlockIdx().x + __clusterRelativeBlockRank();
  const unsigned blocks = __clusterGridDimInClusters().x * __clusterSizeInBlocks();
  __cluster_barrier_wait();
  const unsigned rank = __cluster_query_shared_rank(tile);
  const unsigned found = static_cast<const unsigned*>(__cluster_map_shared_rank(tile, rank))[(i + 1) % n];
  __cluster_barrier_arrive_relaxed();
  __cluster_barrier_wait();
#else
  const unsigned index = blockIdx.x, blocks = gridDim.x;
  __syncthreads();
  const unsigned found = tile[(i + 1) % n];
#endif
  out[blockIdx.x * n + i] = found * blocks + index;
}
