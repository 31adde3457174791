// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface of split barriers and its class: the hardware's mbarrier from sm_80 on, with nvcc's instructions; before and
// elsewhere, counters.
// RUN: %compile %s -t cuda:sm_80 -D C_ALONE -D AMPERE_ALONE --emit ptx -o %t.80.ptx && FileCheck %s --check-prefix=AMPERE < %t.80.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.80.ptx -o %t.cubin %}
// RUN: %compile %s -t cuda:sm_90 -D C_ALONE --emit ptx -o %t.90.ptx && FileCheck %s --check-prefix=HOPPER < %t.90.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.90.ptx -o %t.cubin %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -D C_ALONE -D AMPERE_ALONE -ptx -arch=sm_80 %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.80.ptx %t.nvcc.ptx "(cp\.async\.mbarrier|mbarrier\.\w+)(\.noComplete|\.parity|\.arrive)*" any-order %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -D C_ALONE -ptx -arch=sm_90 %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.90.ptx %t.nvcc.ptx "(cp\.async\.mbarrier|mbarrier\.\w+)(\.noComplete|\.parity|\.arrive)*" any-order %}
// RUN: %compile %s -t cuda:sm_70 --emit ptx -o - | FileCheck %s --check-prefix=VOLTA
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg
// RUN: %lathe run %s -t cpu -k primitives --grid 2 --group 96 --arg 'iota:i32[192]' --arg 'zeros:i32[192]' --print 1:4 | FileCheck %s --check-prefix=VALUES
// RUN: %lathe run %s -t cpu -k parities --grid 1 --group 96 --arg 'iota:i32[96]' --arg 'zeros:i32[96]' --print 1:3 | FileCheck %s --check-prefix=PARITIES
// RUN: %lathe run %s -t cpu -k classes --grid 1 --group 64 --arg 'iota:i32[64]' --arg 'zeros:i32[64]' --print 1:4 | FileCheck %s --check-prefix=CLASSES
// AMPERE: mbarrier.init.shared.b64
// AMPERE: mbarrier.inval.shared.b64
// HOPPER: mbarrier.try_wait.parity.shared.b64
// VOLTA-NOT: mbarrier
// VALUES: out i32[192]: 95 94 93 92
// PARITIES: out i32[96]: 95 94 93
// CLASSES: out i32[64]: 65 64 63 62
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

/// Each thread reads what the one at the other end wrote; of the tokens one lacked all of the block.
extern "C" __global__ void primitives(const int* in, int* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int tile[96];
  __shared__ unsigned lacked;
  if (threadIdx.x == 0) {
    __mbarrier_init(&barrier, blockDim.x);
    lacked = 0;
  }
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[blockIdx.x * blockDim.x + threadIdx.x], sizeof(int));
  __pipeline_arrive_on(&barrier);
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  atomicMax(&lacked, __mbarrier_token_pending_count(token));
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  const int value = tile[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = lacked <= blockDim.x && lacked > 0 ? value : -1;
  if (threadIdx.x == 0) __mbarrier_inval(&barrier);
}

#ifndef C_ALONE
extern "C" __global__ void classes(const int* in, int* out) {
  __shared__ nvcuda::experimental::awbarrier barrier;
  __shared__ int tile[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  auto token = barrier.arrive();
  barrier.wait(token);
  out[threadIdx.x] = tile[63 - threadIdx.x];
  if (threadIdx.x < 32) {
    (void)barrier.arrive_and_drop();
    out[threadIdx.x] += 1;
    // The other half goes on without this one.
    out[threadIdx.x] += 1;
    return;
  }
  barrier.arrive_and_wait();
  barrier.arrive_and_wait();
}
#endif

#ifndef AMPERE_ALONE
extern "C" __global__ void parities(const int* in, int* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int tile[96];
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_try_wait(&barrier, token, 1000)) {
  }
  const int value = tile[95 - threadIdx.x];
  (void)__mbarrier_arrive_and_drop(&barrier);
  while (!__mbarrier_try_wait_parity(&barrier, true, 1000)) {
  }
  while (!__mbarrier_test_wait_parity(&barrier, true)) {
  }
  out[threadIdx.x] = __mbarrier_maximum_count() == 16383 ? value : 0;
}
#endif
