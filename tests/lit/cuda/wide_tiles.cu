// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of 64 to 512 threads: each thread compares what they give with what it reads in memory and counts the differences
// (the last number: threads that compared). Reductions of integers in a warp are one instruction from sm_80 on, as nvcc's.
// RUN: %lathe run %s -t cpu -k 'tiles<64>' --grid 2 --group 512 --arg 'iota:i32[1024]' --arg 'zeros:i32[12]' --print 1 | FileCheck %s
// RUN: %lathe run %s -t cpu -k 'tiles<128>' --grid 2 --group 512 --arg 'iota:i32[1024]' --arg 'zeros:i32[12]' --print 1 | FileCheck %s
// RUN: %lathe run %s -t cpu -k 'tiles<512>' --grid 1 --group 1024 --arg 'iota:i32[1024]' --arg 'zeros:i32[12]' --print 1 | FileCheck %s
// RUN: %lathe run %s -t cpu -k apart --grid 1 --group 256 --arg 'iota:i32[256]' --arg 'zeros:i32[4]' --print 1 | FileCheck %s --check-prefix=APART
// RUN: %compile %s -t cuda:sm_90 -k 'tiles<256>' -k apart --emit ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cuda:sm_70 -k 'tiles<256>' --emit ptx -o - | FileCheck %s --check-prefix=VOLTA
// RUN: %compile %s -t amdgpu:gfx942 -k 'tiles<256>' -o %t.limg
// RUN: %compile %s -t spirv -k 'tiles<256>' -o %t.limg
// RUN: %compile %s -t cuda:sm_80 -D REDUCED --emit ptx -o %t.80.ptx && FileCheck %s --check-prefix=REDUX < %t.80.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.80.ptx -o %t.cubin %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -D REDUCED -ptx -arch=sm_80 %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.80.ptx %t.nvcc.ptx "redux\.sync\.(add|\w+\.\w+)|shfl\.sync\.\w+" any-order %}
// RUN: not %compile %s -t cpu -k 'tiles<2048>' -o %t.limg 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not %compile %s -t cpu -k 'tiles<96>' -o %t.limg 2>&1 | FileCheck %s --check-prefix=ODD
// CHECK: out i32[12]: 0 0 0 0 0 0 0 0 0 0 0 1024
// APART: out i32[4]: 0 0 0 256
// VOLTA-NOT: redux
// REDUX: redux.sync.add.s32
// WIDE: a tile has at most 1024 items
// ODD: a tile has 1, 2, 4
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

template <unsigned Size>
__global__ void tiles(const int* in, int* out) {
  __shared__ cg::block_tile_memory<1024> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned i = block.thread_rank(), inTile = i % Size;
  const int* const mine = in + blockIdx.x * blockDim.x + i - inTile;
  const int value = mine[inTile];
  int sum = 0, before = 0, mixed = 0, halves = 0;
  for (unsigned k = 0; k < Size; ++k) {
    sum += mine[k];
    if (k < inTile) before += mine[k], mixed ^= mine[k];
    if (k / (Size / 2) == inTile / (Size / 2)) halves = mine[k];
  }
  const auto differs = [&](int at, bool does) {
    if (does) atomicAdd(&out[at], 1);
  };
  differs(0, cg::reduce(tile, value, cg::plus<int>()) != sum);
  differs(1, cg::reduce(tile, value, cg::less<int>()) != mine[0]);
  differs(2, cg::reduce(tile, static_cast<double>(value), cg::plus<double>()) != sum);
  differs(3, cg::inclusive_scan(tile, value) != before + value);
  differs(4, cg::exclusive_scan(tile, value, cg::bit_xor<int>()) != mixed);
  differs(5, tile.shfl(value, Size - 3) != mine[Size - 3]);
  differs(6, !tile.any(value == mine[5]) || tile.any(value < 0));
  differs(7, tile.all(value != mine[5]) || !tile.all(value >= 0));
  differs(8, tile.meta_group_rank() != i / Size || tile.meta_group_size() != blockDim.x / Size ||
                 tile.thread_rank() != inTile || tile.size() != Size);
  const auto half = cg::tiled_partition<Size / 2>(tile);
  differs(9, cg::reduce(half, value, cg::greater<int>()) != halves || half.meta_group_size() != 2 ||
                 half.meta_group_rank() != inTile / (Size / 2));
  const cg::thread_block_tile<Size> plain = tile;
  plain.sync();
  differs(10, cg::exclusive_scan(plain, value) != before || plain.meta_group_rank() != tile.meta_group_rank());
  atomicAdd(&out[11], 1);
}

/// Tiles that come to their barriers at different times and not equally often, with memory that the kernel does not bring.
extern "C" __global__ void apart(const int* in, int* out) {
  __shared__ int sums[4];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  const unsigned which = tile.meta_group_rank();
  int sum = in[threadIdx.x];
  for (unsigned round = 0; round < 3 * which; ++round) {
    if (tile.thread_rank() == round) sums[which] = sum;
    tile.sync();
    sum += sums[which];
    tile.sync();
  }
  int wanted = in[threadIdx.x], others[64];
  for (unsigned k = 0; k < 64; ++k) others[k] = in[which * 64 + k];
  for (unsigned round = 0; round < 3 * which; ++round) {
    const int shared = others[round];
    for (unsigned k = 0; k < 64; ++k) others[k] += shared;
    wanted += shared;
  }
  if (sum != wanted) atomicAdd(&out[0], 1);
  atomicAdd(&out[3], 1);
}

#ifdef REDUCED
extern "C" {
#define REDUCTION(name, type, op)                                                            \
  __global__ void name(type* data) {                                                       \
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());                    \
    data[threadIdx.x] = cg::reduce(tile, data[threadIdx.x], cg::op<type>());               \
  }                                                                                        \
  __global__ void name##Here(type* data) {                                                 \
    data[threadIdx.x] = cg::reduce(cg::coalesced_threads(), data[threadIdx.x], cg::op<type>()); \
  }
REDUCTION(added, int, plus)
REDUCTION(addedUnsigned, unsigned, plus)
REDUCTION(least, int, less)
REDUCTION(leastByte, unsigned char, less)
REDUCTION(most, unsigned, greater)
REDUCTION(mostShort, short, greater)
REDUCTION(both, int, bit_and)
REDUCTION(either, unsigned, bit_or)
REDUCTION(one, int, bit_xor)
__global__ void addedFloats(float* data) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  data[threadIdx.x] = cg::reduce(tile, data[threadIdx.x], cg::plus<float>());
}
__global__ void ofSixteen(int* data) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  data[threadIdx.x] = cg::reduce(tile, data[threadIdx.x], cg::plus<int>());
}
__global__ void ofEight(int* data) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  data[threadIdx.x] = cg::reduce(tile, data[threadIdx.x], cg::plus<int>());
}
}
#endif
