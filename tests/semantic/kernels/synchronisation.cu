// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fences, barriers and warp-wide instructions.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define FENCED(title, call)                                   \
  extern "C" __global__ void counted_fence_##title(int* p) {  \
    p[0] = 1;                                                 \
    call;                                                     \
    p[1] = 1;                                                 \
  }
FENCED(block, __threadfence_block())
FENCED(device, __threadfence())
FENCED(system, __threadfence_system())

#define MET(title, call)                                                   \
  extern "C" __global__ void counted_barrier_##title(int* p) {             \
    __shared__ int cells[64];                                              \
    cells[threadIdx.x] = p[threadIdx.x];                                   \
    call;                                                                  \
    p[threadIdx.x] = cells[63 - threadIdx.x];                              \
  }
MET(block, __syncthreads())
MET(warp, __syncwarp())
MET(half_warp, __syncwarp(0xffff))
MET(group, cg::this_thread_block().sync())
MET(free_group, cg::sync(cg::this_thread_block()))
MET(tile, cg::tiled_partition<32>(cg::this_thread_block()).sync())
MET(small_tile, cg::tiled_partition<4>(cg::this_thread_block()).sync())
MET(named, asm volatile("barrier.sync 3, 64;" ::: "memory"))
extern "C" __global__ void counted_barrier_votes(int* p) {
  p[0] = __syncthreads_count(p[threadIdx.x]);
  p[1] = __syncthreads_and(p[threadIdx.x + 32]);
  p[2] = __syncthreads_or(p[threadIdx.x + 64]);
}
extern "C" __global__ void grid_barrier(int* p) {
  p[0] = 1;
  cg::this_grid().sync();
  p[1] = 2;
}
// A barrier that only some items reach is not the aligned kind.
extern "C" __global__ void barrier_in_branch(int* p, int n) {
  if (p[0] > n) {
    __syncthreads();
    p[1] = p[threadIdx.x];
  } else {
    p[2] = 0;
    __syncthreads();
  }
}
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
extern "C" __global__ void cluster_barrier(int* p) {
  p[0] = 1;
  cg::this_cluster().sync();
  p[1] = 2;
}
extern "C" __global__ void counted_cluster_split(int* p) {
  p[0] = 1;
  cg::this_cluster().barrier_arrive();
  p[1] = 3;
  cg::this_cluster().barrier_wait();
  p[2] = 2;
}
FENCED(cluster, __threadfence_cluster())
extern "C" __global__ void cluster_neighbour(int* p) {
  __shared__ int cell;
  cell = p[0];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  p[1] = *cluster.map_shared_rank(&cell, cluster.block_rank() ^ 1);
  cluster.sync();
}
extern "C" __global__ void cluster_places(dim3* p, unsigned* q) {
  p[0] = __clusterDim();
  p[1] = __clusterGridDimInClusters();
  p[2] = __clusterIdx();
  p[3] = __clusterRelativeBlockIdx();
  p[4] = cg::this_cluster().block_index();
  p[5] = cg::this_cluster().thread_index();
  p[6] = cg::this_cluster().dim_threads();
  q[0] = __clusterRelativeBlockRank();
  q[1] = __clusterSizeInBlocks();
  q[2] = cg::this_cluster().size();
  q[3] = __clusterDimIsSpecified();
}
extern "C" __global__ void counted_cluster_names(int* p) {
  __shared__ int cell;
  cell = p[0];
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  p[1] = *static_cast<int*>(__cluster_map_shared_rank(&cell, 1));
  p[2] = static_cast<int>(__cluster_query_shared_rank(&cell));
  *reinterpret_cast<uint2*>(p + 4) = __cluster_map_shared_multicast(&p[0], 3);
  p[3] = static_cast<int>(__isCtaShared(p));
  __cluster_barrier_arrive_relaxed();
  cg::this_cluster().barrier_wait(cg::this_cluster().barrier_arrive());
}
#endif

#define SHUFFLES(title, type)                                                                           \
  extern "C" __global__ void shuffle_##title(type* p, unsigned mask) {                                  \
    const type value = p[threadIdx.x];                                                                  \
    p[0] = __shfl_sync(0xffffffffu, value, 3);                                                          \
    p[1] = __shfl_up_sync(0xffffffffu, value, 1);                                                       \
    p[2] = __shfl_down_sync(mask, value, 2, 16);                                                        \
    p[3] = __shfl_xor_sync(mask, value, 4, 8);                                                          \
  }                                                                                                     \
  extern "C" __global__ void counted_shuffle_##title(type* p) { p[0] = __shfl_sync(0xffffffffu, p[threadIdx.x], 3); }
SHUFFLES(int, int)
SHUFFLES(unsigned, unsigned)
SHUFFLES(long, long long)
SHUFFLES(ulong, unsigned long long)
SHUFFLES(float, float)
SHUFFLES(double, double)

extern "C" __global__ void counted_votes(unsigned* p, unsigned mask) {
  const unsigned value = p[threadIdx.x];
  p[0] = __all_sync(mask, value);
  p[1] = __any_sync(mask, value > 1);
  p[2] = __ballot_sync(mask, value > 2);
  p[3] = __activemask();
  p[4] = __uni_sync(mask, value > 3);
}
#define MATCHES(title, type)                                                                            \
  extern "C" __global__ void counted_match_##title(type* p, unsigned* out, unsigned mask) {             \
    int all;                                                                                            \
    out[0] = __match_any_sync(mask, p[0]);                                                              \
    out[1] = __match_all_sync(mask, p[1], &all);                                                        \
    out[2] = static_cast<unsigned>(all);                                                                \
  }
MATCHES(int, int)
MATCHES(unsigned, unsigned)
MATCHES(ulong, unsigned long long)
MATCHES(float, float)
MATCHES(double, double)
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
extern "C" __global__ void counted_reductions(unsigned* p, int* q, unsigned mask) {
  p[0] = __reduce_add_sync(mask, p[threadIdx.x]);
  p[1] = __reduce_min_sync(mask, p[threadIdx.x + 1]);
  p[2] = __reduce_max_sync(mask, p[threadIdx.x + 2]);
  p[3] = __reduce_and_sync(mask, p[threadIdx.x + 3]);
  p[4] = __reduce_or_sync(mask, p[threadIdx.x + 4]);
  p[5] = __reduce_xor_sync(mask, p[threadIdx.x + 5]);
  q[0] = __reduce_min_sync(mask, q[threadIdx.x]);
  q[1] = __reduce_max_sync(mask, q[threadIdx.x + 1]);
}
#endif
