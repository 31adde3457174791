// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of clusters are nvcc's instructions from sm_90 on, by their own names and by cooperative groups; elsewhere
// each block is a cluster of its own. A breakpoint is one on NVIDIA GPUs.
// RUN: %compile %s -t cuda:sm_90 -D HARDWARE --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -D HARDWARE -ptx -arch=sm_90 %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.ptx %t.nvcc.ptx "barrier\.cluster[.a-z]*|mapa|getctarank|mov\.pred|brkpt|%%cluster_ctaid\.\w|%%n?clusterid\.\w|%%cluster_nctarank" any-order %}
// RUN: %lathe run %s -t cpu -k alone --grid 3,2 --group 4,2 --arg 'zeros:u32[24]' --print 0:24 | FileCheck %s --check-prefix=ALONE
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg
// RUN: %compile %s -t spirv -o %t.limg
// CHECK: barrier.cluster.arrive.relaxed
// CHECK: brkpt;
// ALONE: 0 0 0 0 1 1 1 1 2 1 3 2 2 1 6 5 4 2 6 40 7 8 4 9
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#ifndef HARDWARE
/// The last thread of the last block tells.
extern "C" __global__ void alone(unsigned* out) {
  __shared__ unsigned word;
  __shared__ unsigned long long words;
  __cluster_barrier_arrive_relaxed();
  __cluster_barrier_wait();
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  if (blockIdx.x != 2 || blockIdx.y != 1 || threadIdx.x != 3 || threadIdx.y != 1) return;
  word = 9;
  words = 4;
  const dim3 inside = __clusterRelativeBlockIdx(), size = __clusterDim(), at = __clusterIdx();
  const dim3 grid = __clusterGridDimInClusters();
  const auto cluster = cg::this_cluster();
  const auto all = cg::this_grid();
  auto token = cluster.barrier_arrive();
  out[0] = inside.x + inside.y + inside.z;
  out[1] = __clusterRelativeBlockRank();
  out[2] = __clusterDimIsSpecified();
  out[3] = __cluster_query_shared_rank(&word) + cluster.query_shared_rank(&word);
  out[4] = size.x;
  out[5] = size.y;
  out[6] = size.z;
  out[7] = __clusterSizeInBlocks();
  out[8] = at.x;
  out[9] = at.y;
  out[10] = grid.x;
  out[11] = grid.y;
  out[12] = all.cluster_index().x;
  out[13] = all.cluster_index().y;
  out[14] = static_cast<unsigned>(all.num_clusters());
  out[15] = static_cast<unsigned>(all.cluster_rank());
  out[16] = cluster.dim_threads().x;
  out[17] = cluster.dim_threads().y;
  out[18] = all.dim_clusters().x * all.dim_clusters().y;
  out[19] = __cluster_map_shared_multicast(&word, 40).y + cluster.block_index().x;
  out[20] = cluster.thread_index().x * 2 + cluster.thread_index().y;
  out[21] = cluster.size();
  out[22] = static_cast<unsigned>(*static_cast<unsigned long long*>(__cluster_map_shared_rank(&words, 0)));
  out[23] = *cluster.map_shared_rank(&word, 0);
  cluster.barrier_wait(static_cast<decltype(token)&&>(token));
}
#else
extern "C" {
__global__ void arrives() {
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  __cluster_barrier_arrive_relaxed();
  __cluster_barrier_wait();
}
__global__ void tokens() {
  auto cluster = cg::this_cluster();
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(static_cast<decltype(token)&&>(token));
}
__global__ void ranks(unsigned* out) {
  out[0] = __clusterRelativeBlockRank();
  out[1] = __clusterSizeInBlocks();
  out[2] = __clusterDimIsSpecified();
}
__global__ void places(dim3* out) {
  out[0] = __clusterDim();
  out[1] = __clusterRelativeBlockIdx();
  out[2] = __clusterGridDimInClusters();
  out[3] = __clusterIdx();
}
__global__ void memory(int* out) {
  __shared__ int word;
  word = out[1];
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  out[0] = *static_cast<int*>(__cluster_map_shared_rank(&word, 1));
  out[2] = static_cast<int>(__cluster_query_shared_rank(&word));
  out[3] = static_cast<int>(__isCtaShared(out));
}
__global__ void several(uint2* out) {
  __shared__ unsigned words[32];
  words[threadIdx.x] = out[1].x;
  __syncthreads();
  out[0] = __cluster_map_shared_multicast(words, out[2].x);
  out[3].x = words[1];
}
__global__ void stops() {
  __brkpt();
}
}
#endif
