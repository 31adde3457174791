// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda::latch and cuda::counting_semaphore without the toolkit's headers: a warp waits for what another one brings, and no
// more threads than so many are between acquire and release.
// RUN: env LATHE_CCCL=none %lathe run %s -t cpu -k waits --grid 2 --group 96 --arg 'zeros:i32[192]' --print 0:4 | FileCheck %s --check-prefix=WAITS
// RUN: env LATHE_CCCL=none %lathe run %s -t cpu -k bounded --grid 1 --group 96 --arg 'zeros:i32[4]' --print 0 | FileCheck %s --check-prefix=BOUNDED
// RUN: env LATHE_CCCL=none %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: env LATHE_CCCL=none %compile %s -t amdgpu:gfx942 -o %t.limg
// WAITS: out i32[192]: 560 560 560 560
// BOUNDED: out i32[4]: 0 96 3 0
#include <cuda/std/latch>
#include <cuda/std/semaphore>
#include <new>

/// The first warp waits for the other two, which bring 5 and 1 in threads' numbers.
extern "C" __global__ void waits(int* out) {
  __shared__ cuda::latch<cuda::thread_scope_block> latch;
  __shared__ int sum;
  if (threadIdx.x == 0) {
    new (&latch) cuda::latch<cuda::thread_scope_block>(64);
    sum = 0;
  }
  __syncthreads();
  if (threadIdx.x >= 32) {
    atomicAdd(&sum, threadIdx.x % 32 == 0 ? 40 : 8);
    latch.count_down();
    return;
  }
  latch.wait();
  out[blockIdx.x * blockDim.x + threadIdx.x] = latch.try_wait() ? sum - 16 : -1;
}

/// Threads that saw more than three inside; all that were inside; what is left.
extern "C" __global__ void bounded(int* out) {
  __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 3> semaphore;
  __shared__ int inside;
  if (threadIdx.x == 0) {
    new (&semaphore) cuda::counting_semaphore<cuda::thread_scope_block, 3>(3);
    inside = 0;
  }
  __syncthreads();
  bool isDone = false;
  while (!isDone) {
    if (semaphore.try_acquire_for(0)) {
      if (atomicAdd(&inside, 1) >= 3) atomicAdd(&out[0], 1);
      atomicAdd(&out[1], 1);
      atomicSub(&inside, 1);
      semaphore.release();
      isDone = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0)
    while (semaphore.try_acquire()) ++out[2];
}
