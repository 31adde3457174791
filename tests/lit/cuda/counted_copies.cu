// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of which a barrier counts the bytes, by Lathe's own <cuda/barrier>: nvcc's instructions on sm_90; elsewhere the copy
// is made at once.
// RUN: env LATHE_CCCL=none %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -diag-suppress 20054 -ptx -arch=sm_90 %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.ptx %t.nvcc.ptx "cp\.async\.bulk[a-z0-9_.:]*|mbarrier\.(arrive\.)?expect_tx[a-z0-9_.:]*" any-order %}
// RUN: env LATHE_CCCL=none %lathe run %s -t cpu -k copies --grid 1 --group 64 --arg 'zeros:i32[64]' --arg 'iota:i32[64]' --print 0:4 | FileCheck %s --check-prefix=VALUES
// RUN: env LATHE_CCCL=none %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s --check-prefix=AMPERE
// RUN: env LATHE_CCCL=none %compile %s -t amdgpu:gfx942 -o %t.limg
// CHECK: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
// CHECK: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64
// AMPERE-NOT: expect_tx
// VALUES: out i32[64]: 63 62 61 60
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;

extern "C" __global__ void copies(int* out, const int* in) {
  __shared__ Barrier barrier;
  __shared__ alignas(16) int tile[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(256), barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, 256);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(static_cast<Barrier::arrival_token&&>(token));
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
extern "C" __global__ void expects(long bytes) {
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  cuda::device::barrier_expect_tx(barrier, bytes);
}
