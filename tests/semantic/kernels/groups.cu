// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups beyond their barriers.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

extern "C" __global__ void tiles(int* p) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int value = p[cg::thread_rank(cg::this_thread_block())];
  p[0] = tile.shfl(value, 1) + tile.shfl_up(value, 1) + tile.shfl_down(value, 2) + tile.shfl_xor(value, 4);
  p[1] = static_cast<int>(tile.ballot(value > 3)) + tile.any(value > 4) + tile.all(value > 5);
  p[2] = static_cast<int>(tile.match_any(value));
  p[3] = static_cast<int>(cg::group_size(tile));
}
extern "C" __global__ void reduced(int* p, float* q) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  p[0] = cg::reduce(warp, p[threadIdx.x], cg::plus<int>());
  p[1] = cg::reduce(warp, p[threadIdx.x], cg::greater<int>());
  q[0] = cg::reduce(warp, q[threadIdx.x], cg::plus<float>());
}
extern "C" __global__ void scanned(int* p) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int value = p[threadIdx.x];
  p[threadIdx.x + 32] = cg::inclusive_scan(warp, value);
  p[threadIdx.x + 64] = cg::exclusive_scan(warp, value);
}
extern "C" __global__ void together(int* p) {
  const auto active = cg::coalesced_threads();
  p[active.thread_rank()] = active.shfl(p[threadIdx.x], 0);
  active.sync();
}
extern "C" __global__ void parted(int* p) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto half = cg::binary_partition(warp, p[threadIdx.x] > 3);
  p[0] = static_cast<int>(half.size());
  const auto labelled = cg::labeled_partition(warp, p[threadIdx.x]);
  p[1] = static_cast<int>(labelled.size());
}
extern "C" __global__ void by_one(int* p) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  cg::invoke_one(warp, [&] { p[0] = 1; });
  p[threadIdx.x + 1] = cg::invoke_one_broadcast(warp, [&] { return p[0]; });
  cg::this_thread().sync();
}
extern "C" __global__ void copied(int* out, const int* in) {
  __shared__ int cells[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, cells, in, sizeof(cells));
  cg::wait(block);
  out[threadIdx.x] = cells[threadIdx.x & 63];
  cg::memcpy_async(block, cells, in + 64, sizeof(cells));
  cg::wait_prior<0>(block);
  out[threadIdx.x + 64] = cells[threadIdx.x & 63];
}
