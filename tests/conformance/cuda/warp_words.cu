// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions of words: those without a mask that CUDA had before 9, votes on unity, matches of all, reductions; and
// cooperative groups that split a warp by a label, with scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void unmasked(const int* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = in[i];
  unsigned* const row = out + 8 * i;
  row[0] = static_cast<unsigned>(__shfl(x, 3, 8));
  row[1] = static_cast<unsigned>(__shfl_up(x, 2, 16));
  row[2] = static_cast<unsigned>(__shfl_down(x, 5, 32));
  row[3] = static_cast<unsigned>(__shfl_xor(x, 9, 32));
  row[4] = __ballot(x > 0);
  row[5] = static_cast<unsigned>(__any(x > 0) != 0);
  row[6] = static_cast<unsigned>(__all(x > 0) != 0);
  row[7] = static_cast<unsigned>(__uni_sync(0xffffffff, x > 0) != 0);
}

__global__ void reduced(const int* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, mask = 0xffffffff;
  const int x = in[i];
  const auto u = static_cast<unsigned>(x);
  unsigned* const row = out + 13 * i;
  row[0] = __reduce_add_sync(mask, u);
  row[1] = __reduce_min_sync(mask, u);
  row[2] = __reduce_max_sync(mask, u);
  row[3] = static_cast<unsigned>(__reduce_add_sync(mask, x));
  row[4] = static_cast<unsigned>(__reduce_min_sync(mask, x));
  row[5] = static_cast<unsigned>(__reduce_max_sync(mask, x));
  row[6] = __reduce_and_sync(mask, u | 0x10);
  row[7] = __reduce_or_sync(mask, u & 0xff00ff);
  row[8] = __reduce_xor_sync(mask, u);
  int same = 7;
  row[9] = __match_all_sync(mask, x > 0 ? 5 : 5 + static_cast<int>(i / 96), &same);
  row[10] = static_cast<unsigned>(same);
  row[11] = __match_all_sync(mask, x > 0 ? 1ull << 40 : 1ull << 40 | i / 64, &same);
  row[12] = static_cast<unsigned>(same);
}

__global__ void grouped(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = in[i] % 1000;
  int* const row = out + 13 * i;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  row[0] = cg::inclusive_scan(warp, x);
  row[1] = cg::exclusive_scan(warp, x);
  row[2] = cg::inclusive_scan(tile, x, cg::greater<int>());
  row[3] = cg::exclusive_scan(tile, x, cg::plus<int>());
  const auto half = cg::binary_partition(warp, (x & 1) != 0);
  row[4] = static_cast<int>(half.size() * 100 + half.thread_rank());
  row[5] = cg::reduce(half, x, cg::plus<int>());
  const auto like = cg::labeled_partition(warp, x & 3);
  row[6] = static_cast<int>(cg::group_size(like) * 100 + cg::thread_rank(like));
  row[7] = cg::inclusive_scan(like, x);
  row[8] = cg::exclusive_scan(like, x);
  const auto alone = cg::this_thread();
  cg::sync(alone);
  row[9] = static_cast<int>(cg::group_size(alone) * 10 + alone.thread_rank() + 1000 * cg::group_size(tile));
  // Who is here together is not said; that they know of each other is.
  row[10] = 0;
  if (x & 2) {
    const auto here = cg::coalesced_threads();
    const int first = here.shfl(x, 0);
    row[10] = here.thread_rank() < here.size() && (here.thread_rank() != 0 || first == x) && (first & 2) != 0;
  }
  row[11] = cg::reduce(warp, x, cg::less<int>());
  row[12] = cg::invoke_one_broadcast(tile, [&] { return x * 2; });
}
