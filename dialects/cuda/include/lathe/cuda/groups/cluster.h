// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of clusters that CUDA has for sm_90 and later ("Cluster intrinsics" of sm_90_rt.h; PTX ISA, "Special
// Registers" %cluster_ctaid and what follows). Elsewhere each block is a cluster of its own.
#ifndef LATHE_CUDA_CLUSTER_H
#define LATHE_CUDA_CLUSTER_H

#include <lathe/cuda/builtins.h>
#include <lathe/cuda/intrinsics.h>

namespace lathe::detail {
LATHE_INLINE bool hasClusters() {
  return __lathe_target_is("cuda") && __lathe_arch_at_least(90);
}
}  // namespace lathe::detail

#define LATHE_CUDA_CLUSTER_VECTOR(name, ptx, elsewhere)  \
  LATHE_INLINE dim3 name() {                             \
    if (!lathe::detail::hasClusters()) return elsewhere; \
    dim3 out;                                            \
    asm("mov.u32 %0, %" ptx ".x;" : "=r"(out.x));        \
    asm("mov.u32 %0, %" ptx ".y;" : "=r"(out.y));        \
    asm("mov.u32 %0, %" ptx ".z;" : "=r"(out.z));        \
    return out;                                          \
  }
LATHE_CUDA_CLUSTER_VECTOR(__clusterRelativeBlockIdx, "%cluster_ctaid", dim3(0, 0, 0))
LATHE_CUDA_CLUSTER_VECTOR(__clusterIdx, "%clusterid", dim3(blockIdx.x, blockIdx.y, blockIdx.z))
LATHE_CUDA_CLUSTER_VECTOR(__clusterGridDimInClusters, "%nclusterid", dim3(gridDim.x, gridDim.y, gridDim.z))
#undef LATHE_CUDA_CLUSTER_VECTOR
LATHE_INLINE dim3 __clusterDim() {
  return dim3(__lathe_cluster_size_x(), __lathe_cluster_size_y(), __lathe_cluster_size_z());
}
LATHE_INLINE unsigned __clusterRelativeBlockRank() {
  return __lathe_cluster_group_id();
}
LATHE_INLINE unsigned __clusterSizeInBlocks() {
  if (!lathe::detail::hasClusters()) return 1;
  unsigned out;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(out));
  return out;
}
/// 1 if the kernel or its launch names a cluster's size.
LATHE_INLINE unsigned __clusterDimIsSpecified() {
  if (!lathe::detail::hasClusters()) return 0;
  unsigned out;
  asm("{ .reg .pred p;\n\tmov.pred p, %%is_explicit_cluster;\n\tselp.u32 %0, 1, 0, p; }" : "=r"(out));
  return out;
}

LATHE_INLINE void __cluster_barrier_arrive() {
  __lathe_cluster_arrive();
}
/// Arrives without making the thread's earlier writes visible.
LATHE_INLINE void __cluster_barrier_arrive_relaxed() {
  if (lathe::detail::hasClusters())
    asm volatile("barrier.cluster.arrive.relaxed;");
  else
    __lathe_cluster_arrive();
}
LATHE_INLINE void __cluster_barrier_wait() {
  __lathe_cluster_wait();
}

/// The address in block `rank` of the cluster of what is at `pointer`, in shared memory, in the caller's.
LATHE_INLINE void* __cluster_map_shared_rank(const void* pointer, unsigned rank) {
  return __lathe_cluster_shared(const_cast<void*>(pointer), rank);
}
/// The rank of the block whose shared memory an address is of.
LATHE_INLINE unsigned __cluster_query_shared_rank(const void* pointer) {
  if (!lathe::detail::hasClusters()) return 0;
  unsigned out;
  asm("getctarank.u64 %0, %1;" : "=r"(out) : "l"(pointer));
  return out;
}
/// What copies to several blocks take: the address in shared memory, and a bit for each block of the cluster.
LATHE_INLINE uint2 __cluster_map_shared_multicast(const void* pointer, unsigned blocks) {
  uint2 out;
  out.x = static_cast<unsigned>(__cvta_generic_to_shared(pointer));
  out.y = blocks;
  return out;
}
LATHE_INLINE unsigned __isCtaShared(const void* pointer) {
  return __isShared(pointer);
}

#endif
