// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp is a whole subgroup: shuffles without masks, votes of up to 64 bits, tiles as wide as a wave.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

__global__ void waveSums(const int* in, int* out, int* sizes) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i];
  for (int distance = warpSize / 2; distance > 0; distance /= 2) sum += __shfl_down(sum, distance);
  sum = __shfl(sum, 0);
  int before = in[i];
  for (int distance = 1; distance < warpSize; distance *= 2) {
    const int other = __shfl_up(before, distance);
    if (static_cast<int>(__lane_id()) >= distance) before += other;
  }
  out[2 * i] = sum;
  out[2 * i + 1] = before;
  if (i == 0) *sizes = warpSize;
}

__global__ void ballots(const int* in, unsigned long long* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* row = out + i * 6;
  row[0] = __ballot(in[i] > 0);
  row[1] = static_cast<unsigned long long>(__popcll(__ballot(in[i] > 0) & __lanemask_lt()));
  row[2] = __any(in[i] > 0);
  row[3] = __all(in[i] > 0);
  row[4] = __match_any_sync(__activemask(), in[i] & 3);
  row[5] = in[i] > 0 ? __activemask() : 0;
}

/// Pairs, and segments of eight.
__global__ void segments(const double* in, double* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const double pair = in[i] + __shfl_xor(in[i], 1);
  out[2 * i] = pair;
  out[2 * i + 1] = __shfl(in[i], 3, 8);
}

__global__ void tiles(const int* in, int* out) {
  namespace cg = cooperative_groups;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int sum = in[i];
  for (unsigned distance = tile.size() / 2; distance > 0; distance /= 2) sum += tile.shfl_down(sum, distance);
  out[i] = tile.shfl(sum, 0) + static_cast<int>(tile.ballot(in[i] > 0));
}
