// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions for tensor cores and copies of tiles are the instructions that nvcc makes of the same headers, and sums of a
// warpgroup stay in their registers from one product to the next.
// RUN: %compile %s -t cuda:sm_90a --features +ptx84 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a %t.ptx -o %t.cubin %}
// RUN: mkdir -p %t.include/lathe && ln -sfn %S/../../../dialects/cuda/include/lathe/cuda %t.include/lathe/cuda
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_90a -I %t.include %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.ptx %t.nvcc.ptx "(wgmma|mma\.sync|ldmatrix|stmatrix|mbarrier|cp\.async\.bulk|setmaxnreg|fence)[a-z_0-9.:]*" any-order %}
// RUN: %compile %s -t cpu -k fragments -o %t.limg
// RUN: not %compile %s -t cpu -k narrow -o %t.no 2>&1 | FileCheck %s --check-prefix=CPU
#include <lathe/cuda/tensor/matrix_fragments.h>
#include <lathe/cuda/tensor/tile_copy.h>
#include <lathe/cuda/tensor/warpgroup.h>

using namespace lathe::cuda;

// CPU: tensor_cores.cu:{{[0-9]+}}:{{[0-9]+}}: error: inline PTX: 'wgmma
extern "C" __global__ void fragments(const __half* from, __half* to, float* out) {
  __shared__ alignas(16) __half tile[16 * 16];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = from[i];
  __syncwarp();
  unsigned a[4], b[2], one[1];
  float sums[4] = {};
  int counts[4] = {};
  load_matrices(a, tile + threadIdx.x % 16 * 16 + threadIdx.x / 16 * 8);
  load_matrices<true>(b, tile + threadIdx.x % 16 * 16);
  load_matrices(one, tile + threadIdx.x % 8 * 16);
  mma_f16(sums, a, b);
  mma_bf16(sums, a, b);
  mma_tf32(sums, a, b);
  mma_s8(counts, a, b);
  mma_u8(counts, a, b);
  unsigned halves[2] = {};
  double wide[2] = {};
  mma_f16(halves, a, b);
  mma_f64(wide, out[1], out[2]);
  store_matrices(tile + threadIdx.x % 16 * 16 + threadIdx.x / 16 * 8, a);
  store_matrices<true>(tile + threadIdx.x % 16 * 16, b);
  store_matrices(tile + threadIdx.x % 8 * 16, one);
  store_matrices<true>(tile + threadIdx.x % 8 * 16, one);
  store_matrices(tile + threadIdx.x % 16 * 16, halves);
  store_matrices<true>(tile + threadIdx.x % 16 * 16 + threadIdx.x / 16 * 8, a);
  mma_e4m3(sums, a, b);
  mma_e5m2(sums, a, b);
  out[3] = wide[0] + wide[1];
  __syncwarp();
  to[threadIdx.x] = tile[threadIdx.x];
  out[threadIdx.x] = sums[0] + sums[3] + counts[1] + one[0];
}

template <class Element, int count>
__device__ void multiply(float* out, const void* tile, int k) {
  float sums[count];
  const SwizzledTile left(tile), right(static_cast<const char*>(tile) + 16384);
  for (int step = 0; step < k; ++step) {
    warpgroup_arrive();
    warpgroup_mma<Element>(sums, left, right, step != 0);
    warpgroup_mma<Element>(sums, left.along(32), right.along(32));
    warpgroup_commit();
    warpgroup_wait<0>();
  }
#pragma unroll
  for (int i = 0; i < count; ++i) out[i * 128 + threadIdx.x] = sums[i];
}
// CHECK-LABEL: .entry narrow(
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {[[SUMS:%r[0-9]+, %r[0-9]+]],
// CHECK-NOT: mov.b32 {{%r[0-9]+}}, %r
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {[[SUMS]],
extern "C" __global__ void narrow(float* out, int k) {
  extern __shared__ __align__(1024) char memory[];
  multiply<__half, 32>(out, memory, k);
}
extern "C" __global__ void middle(float* out, int k) {
  extern __shared__ __align__(1024) char memory[];
  multiply<__half, 64>(out, memory, k);
}
// CHECK-LABEL: .entry wide(
// CHECK: setmaxnreg.inc.sync.aligned.u32 232;
// CHECK: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {[[SUMS:%r[0-9]+, %r[0-9]+]],
// CHECK-NOT: mov.b32 {{%r[0-9]+}}, %r
// CHECK: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {[[SUMS]],
extern "C" __global__ void wide(float* out, int k) {
  extern __shared__ __align__(1024) char memory[];
  warpgroup_take_registers<232>();
  multiply<__nv_bfloat16, 128>(out, memory, k);
  warpgroup_give_registers<40>();
}

// Every kind of element: the instructions beside nvcc's are compared as a set.
extern "C" __global__ void kinds(float* out, int* counts) {
  extern __shared__ __align__(1024) char memory[];
  multiply<__nv_fp8_e4m3, 64>(out, memory, 2);
  multiply<float, 32>(out, memory, 2);
  const SwizzledTile left(memory), right(memory + 16384);
  float sums[32];
  int whole[128];
  warpgroup_arrive();
  warpgroup_mma<__nv_fp8_e4m3, __nv_fp8_e5m2>(sums, left, right, false);
  warpgroup_mma<__nv_fp8_e5m2, __nv_fp8_e4m3>(sums, left, right);
  warpgroup_mma<__nv_fp8_e5m2>(sums, left, right);
  warpgroup_mma<signed char>(whole, left, right, false);
  warpgroup_mma<unsigned char, signed char>(whole, left, right);
  warpgroup_mma<signed char, unsigned char>(whole, left, right);
  warpgroup_mma<unsigned char>(whole, left, right);
  warpgroup_commit();
  warpgroup_wait<0>();
#pragma unroll
  for (int i = 0; i < 32; ++i) out[i] = sums[i];
#pragma unroll
  for (int i = 0; i < 128; ++i) counts[i] = whole[i];
}

extern "C" __global__ void tiles(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[1024];
  __shared__ TransferBarrier full;
  if (threadIdx.x == 0) {
    full.prepare(1);
    prepared_barriers();
    full.expect(sizeof tile);
    copy_tile(tile, &map, 1, full);
    copy_tile(tile, &map, 1, 2, 3, full);
    copy_tile(tile, &map, 1, 2, 3, 4, full);
    copy_tile(tile, &map, 1, 2, 3, 4, 5, full);
    multicast_tile(tile, &map, 1, 2, full, 3);
    multicast_tile(tile, &map, 1, 2, 3, 4, 5, full, 3);
    copy_pixels(tile, &map, 0, 1, 2, 3, 1, 2, full);
  }
  full.wait(0);
  written_tile();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_tile(tile, &map, 1);
    store_tile(tile, &map, 1, 2);
    store_tile(tile, &map, 1, 2, 3, 4, 5);
    commit_stores();
    wait_stores<0>();
  }
  out[threadIdx.x] = tile[threadIdx.x];
}

// CHECK-LABEL: .entry copied(
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r{{[0-9]+}}], [%rd{{[0-9]+}}, {%r{{[0-9]+}}, %r{{[0-9]+}}}], [%r{{[0-9]+}}];
extern "C" __global__ void copied(const __grid_constant__ CUtensorMap map, float* out, int x, int y) {
  __shared__ alignas(128) float tile[16 * 32];
  __shared__ TransferBarrier full;
  if (threadIdx.x == 0) {
    full.prepare(1);
    prepared_barriers();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    full.expect(sizeof tile);
    copy_tile(tile, &map, x, y, full);
  }
  full.wait(0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// Numbers made of shared addresses are summed with 32 bits: the loop of products has no sum or shift of 64.
// CHECK-LABEL: .entry ring(
// CHECK: $L__BB{{[0-9_]+}}:
// CHECK-NOT: {{(add.s64|shr.u64|mul.wide|and.b64)}}
// CHECK: wgmma.mma_async
extern "C" __global__ void ring(float* out, int k) {
  struct Ring {
    __nv_bfloat16 tiles[4][64 * 64];
    TransferBarrier full[4];
  };
  extern __shared__ __align__(1024) char memory[];
  Ring& ring = *reinterpret_cast<Ring*>(memory);
  float sums[32];
#pragma unroll 1
  for (int step = 0, stage = 0; step < k; ++step) {
    ring.full[stage].wait(0);
    warpgroup_arrive();
    warpgroup_mma<__nv_bfloat16>(sums, SwizzledTile(ring.tiles[stage]), SwizzledTile(ring.tiles[stage]), step != 0);
    warpgroup_commit();
    warpgroup_wait<0>();
    stage = stage == 3 ? 0 : stage + 1;
  }
#pragma unroll
  for (int i = 0; i < 32; ++i) out[i * 128 + threadIdx.x] = sums[i];
}
