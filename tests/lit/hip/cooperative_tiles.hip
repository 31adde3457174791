// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile is up to a wave of 64, and coalesced threads are those of a wave.
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg
// RUN: %lathe run %s -t cpu -k coalesced --grid 1 --group 64 --arg zeros:i32[64] --print 0:4 | FileCheck %s
// CHECK: 16 0 16 1
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

namespace cg = cooperative_groups;

__global__ void wide(int* p) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  int sum = p[threadIdx.x];
  for (unsigned distance = 32; distance > 0; distance /= 2) sum += tile.shfl_down(sum, distance);
  const unsigned long long positive = tile.ballot(sum > 0);
  if (tile.thread_rank() == 0) p[0] = sum + __popcll(positive);
}

/// On the CPU a wave has 32.
__global__ void coalesced(int* p) {
  if (threadIdx.x % 2 == 0) {
    const auto group = cg::coalesced_threads();
    p[threadIdx.x] = group.size();
    p[threadIdx.x + 1] = group.thread_rank();
  }
}
