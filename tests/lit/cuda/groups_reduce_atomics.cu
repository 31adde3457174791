// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of tiles whose result one thread stores in an atomic variable, or combines with it.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: %lathe run %s -t cpu -k sums --grid 1 --group 64 --arg iota:f32[64] --arg zeros:f32[3] --print 1:3 | FileCheck %s
// CHECK: 496 2016 63
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;

extern "C" __global__ void sums(const float* in, float* out) {
  __shared__ cuda::atomic<float, cuda::thread_scope_block> whole;
  __shared__ float largest;
  const auto block = cg::this_thread_block();
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  if (block.thread_rank() == 0) largest = 0;
  if (tile.meta_group_rank() == 0) cg::reduce_store_async(tile, whole, in[block.thread_rank()], cg::plus<float>());
  block.sync();
  if (block.thread_rank() == 0) out[0] = whole;
  block.sync();
  if (tile.meta_group_rank() == 1) cg::reduce_update_async(tile, whole, in[block.thread_rank()], cg::plus<float>());
  cuda::atomic_ref<float, cuda::thread_scope_block> most(largest);
  cg::reduce_update_async(tile, most, in[block.thread_rank()], cg::greater<float>());
  block.sync();
  if (block.thread_rank() == 0) out[1] = whole, out[2] = largest;
}
