// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of groups with gaps: by ranks, by a label, by a condition. Each thread writes where it is in its part, how many
// that has, and which part of how many it is.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ void put(int* row, const cg::coalesced_group& part) {
  row[0] = static_cast<int>(part.thread_rank());
  row[1] = static_cast<int>(part.size());
  row[2] = static_cast<int>(part.meta_group_rank());
  row[3] = static_cast<int>(part.meta_group_size());
}

__global__ void parts(const int* in, int* out) {
  const int label = in[threadIdx.x];
  int* const row = out + 16 * threadIdx.x;
  if (label < 0) return;
  const cg::coalesced_group all = cg::coalesced_threads();
  put(row, cg::tiled_partition(all, 4));
  put(row + 4, cg::labeled_partition(all, label));
  put(row + 8, cg::binary_partition(all, label < 2));
  const cg::thread_group any = all, tile = cg::tiled_partition(any, 8);
  put(row + 12, cg::tiled_partition(cg::binary_partition(all, label < 100), 16));
  row[14] = static_cast<int>(tile.thread_rank() + 100 * tile.size());
}
