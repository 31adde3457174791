// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A × Bᵀ of bfloat16 with sums in float, A of M × K, B of N × K and C of M × N elements, row by row; M is a multiple of
// 128, N of 256, K of 64. One block for each multiprocessor walks over tiles of 128 × 256: a warp has tiles of A and B
// copied ahead into a ring, two warpgroups multiply them. The structure is that of CUTLASS's warp-specialised persistent
// kernels (github.com/NVIDIA/cutlass).
#include <lathe/cuda/tensor/tile_copy.h>
#include <lathe/cuda/tensor/warpgroup.h>

using lathe::cuda::SwizzledTile;
using lathe::cuda::TransferBarrier;

namespace {

constexpr int tileM = 128, tileN = 256, tileK = 64, stages = 4, multipliers = 2;

struct alignas(1024) Ring {
  __nv_bfloat16 a[stages][tileM * tileK];
  __nv_bfloat16 b[stages][tileN * tileK];
  TransferBarrier full[stages], empty[stages];
};

/// A place in the ring, and the parity of the phase that is waited for there.
struct Place {
  int stage = 0;
  unsigned parity;
  __device__ void next() {
    if (++stage < stages) return;
    stage = 0;
    parity ^= 1;
  }
};

/// The tile of that index: tiles that are computed at once share rows and columns, which the second-level cache has.
__device__ int2 tileOf(int index, int rows, int columns) {
  constexpr int high = 16, wide = 8;
  const int band = index / (high * columns), inBand = index % (high * columns);
  const int height = min(high, rows - band * high);
  const int block = inBand / (height * wide), inBlock = inBand % (height * wide);
  return {band * high + inBlock % height, block * wide + inBlock / height};
}

/// Exchanges `high` of lanes without the bit `mask` and `low` of lanes with it.
__device__ void exchange(unsigned& low, unsigned& high, unsigned mask) {
  const bool upper = threadIdx.x & mask;
  const unsigned got = __shfl_xor_sync(0xffffffffu, upper ? low : high, mask);
  (upper ? low : high) = got;
}

/// Writes a warp's 16 × 256 sums: four lanes that have eight neighbours each among them exchange pairs, so that each
/// writes 16 bytes. `to` is the lane's row and its first column.
__device__ void store(__nv_bfloat16* to, int n, const float (&sums)[128]) {
#pragma unroll
  for (int i = 0; i < 32; i += 4) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      unsigned pairs[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float* const two = &sums[4 * (i + j) + 2 * half];
        const __nv_bfloat162 pair = __floats2bfloat162_rn(two[0], two[1]);
        pairs[j] = reinterpret_cast<const unsigned&>(pair);
      }
      exchange(pairs[0], pairs[1], 1), exchange(pairs[2], pairs[3], 1);
      exchange(pairs[0], pairs[2], 2), exchange(pairs[1], pairs[3], 2);
      *reinterpret_cast<uint4*>(to + static_cast<size_t>(8 * half) * n + i * 8) =
          make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
    }
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(128 * (multipliers + 1), 1)
    matmul(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, __nv_bfloat16* c, int m, int n,
           int k) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Ring& ring = *reinterpret_cast<Ring*>(memory);
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) {
      ring.full[i].prepare(1);
      ring.empty[i].prepare(4 * multipliers);
    }
    lathe::cuda::prepared_barriers();
  }
  __syncthreads();
  const int rows = m / tileM, columns = n / tileN, steps = k / tileK, group = threadIdx.x / 128;
  if (group == 0) {
    lathe::cuda::warpgroup_give_registers<40>();
    if (threadIdx.x != 0) return;
    Place place{.parity = 1};
    for (int index = blockIdx.x; index < rows * columns; index += gridDim.x) {
      const int2 tile = tileOf(index, rows, columns);
      for (int step = 0; step < steps; ++step, place.next()) {
        TransferBarrier& full = ring.full[place.stage];
        ring.empty[place.stage].wait(place.parity);
        full.expect(sizeof ring.a[0] + sizeof ring.b[0]);
        lathe::cuda::copy_tile(ring.a[place.stage], &a, step * tileK, tile.x * tileM, full);
        lathe::cuda::copy_tile(ring.b[place.stage], &b, step * tileK, tile.y * tileN, full);
      }
    }
    return;
  }
  lathe::cuda::warpgroup_take_registers<232>();
  const int lane = threadIdx.x % 32, warp = threadIdx.x % 128 / 32, firstRow = (group - 1) * 64;
  Place place{.parity = 0};
  float sums[128];
  for (int index = blockIdx.x; index < rows * columns; index += gridDim.x) {
    const int2 tile = tileOf(index, rows, columns);
    int before = 0;
    for (int step = 0; step < steps; ++step, place.next()) {
      ring.full[place.stage].wait(place.parity);
      const SwizzledTile left(ring.a[place.stage] + firstRow * tileK), right(ring.b[place.stage]);
      lathe::cuda::warpgroup_arrive();
#pragma unroll
      for (unsigned bytes = 0; bytes < 2 * tileK; bytes += 32)
        lathe::cuda::warpgroup_mma<__nv_bfloat16>(sums, left.along(bytes), right.along(bytes), step != 0 || bytes != 0);
      lathe::cuda::warpgroup_commit();
      lathe::cuda::warpgroup_wait<1>();  // the step before is done
      if (step != 0 && lane == 0) ring.empty[before].arrive();
      before = place.stage;
    }
    lathe::cuda::warpgroup_wait<0>();
    if (lane == 0) ring.empty[before].arrive();
    const int row = tile.x * tileM + firstRow + warp * 16 + lane / 4, column = tile.y * tileN + lane % 4 * 8;
    store(c + static_cast<size_t>(row) * n + column, n, sums);
  }
}
