// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cuda::barrier of a block in shared memory is the hardware's mbarrier from sm_80 on, with the instructions of CUDA's own
// header; before, counters. Where threads cannot wait for one another apart, that is an error with its line, and all
// together they can.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.80.ptx && FileCheck %s --check-prefixes=CHECK,AMPERE < %t.80.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.80.ptx -o %t.cubin %}
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.90.ptx && FileCheck %s --check-prefixes=CHECK,HOPPER < %t.90.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.90.ptx -o %t.cubin %}
// RUN: %compile %s -t cuda:sm_70 --emit ptx -o %t.70.ptx && FileCheck %s --check-prefix=VOLTA < %t.70.ptx
// RUN: %if nvcc %{ %nvcc -std=c++17 -diag-suppress 20054 -ptx -arch=sm_80 %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.80.ptx %t.nvcc.ptx "(cp\.async\.mbarrier|mbarrier\.\w+)(\.noComplete|\.parity|\.arrive)*" any-order %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -diag-suppress 20054 -ptx -arch=sm_90 %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.90.ptx %t.nvcc.ptx "(cp\.async\.mbarrier|mbarrier\.\w+)(\.noComplete|\.parity|\.arrive)*" any-order %}
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg
// RUN: %compile %s -t object -o %t.o
// RUN: not %compile %s -t spirv -o %t.limg 2>&1 | FileCheck %s --check-prefix=SPIRV
// RUN: %compile %s -t spirv -D TOGETHER -o %t.limg
// CHECK: mbarrier.init.shared.b64
// AMPERE: mbarrier.test_wait.shared.b64
// HOPPER: mbarrier.try_wait.shared.b64
// AMPERE: mbarrier.arrive.noComplete.shared.b64
// HOPPER-NOT: noComplete
// CHECK: mbarrier.arrive_drop.shared.b64
// AMPERE: mbarrier.test_wait.parity.shared.b64
// HOPPER: mbarrier.try_wait.parity.shared.b64
// CHECK: cp.async.mbarrier.arrive.shared.b64
// VOLTA-NOT: mbarrier
// VOLTA: atom.{{.*}}shared{{.*}}add.u32
// VOLTA-NOT: mbarrier
// SPIRV: split_barriers.cu:[[#@LINE+19]]:{{.*}}error: item_yield (lets other items of the group go on, for loops that wait for a value that they write; without it items can only wait all together (group_barrier, arrive_and_wait)) does not exist on spirv
// SPIRV: in kernel 'waits
#include <cuda/barrier>
#include <utility>
using Barrier = cuda::barrier<cuda::thread_scope_block>;

extern "C" __global__ void waits(int* out, const int* in, int n) {
  __shared__ Barrier barrier;
  __shared__ int tile[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
#ifdef TOGETHER
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = tile[63 - threadIdx.x];
  barrier.arrive_and_wait();
#else
  tile[threadIdx.x] = in[threadIdx.x];
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  out[threadIdx.x] = tile[63 - threadIdx.x];
  (void)barrier.arrive(n);
  barrier.arrive_and_drop();
  barrier.wait_parity(true);
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), barrier);
  barrier.arrive_and_wait();
#endif
}
