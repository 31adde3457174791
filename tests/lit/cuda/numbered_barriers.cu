// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers by their number: number 0 is the block's everywhere, others are NVIDIA's and refused elsewhere with the line.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %lathe run %s -t cpu -k whole --grid 1 --group 4 --arg zeros:i32[4] --print 0 | FileCheck %s --check-prefix=RUNS
// RUN: not %compile %s -t cpu -k halves -o %t.limg 2>&1 | FileCheck %s --check-prefix=REFUSED
// CHECK-LABEL: entry {{.*}}whole
// CHECK: barrier.sync 0;
// CHECK: pmevent 3;
// CHECK-LABEL: entry {{.*}}halves
// CHECK: barrier.sync 1, 32;
// CHECK: barrier.sync 2;
// RUNS: 3 2 1 0
// REFUSED: numbered_barriers.cu:[[#LINE:]]:{{[0-9]+}}: error: inline PTX: 'barrier.sync': barriers of a part of the group
__global__ void whole(int* out) {
  __shared__ int mine[4];
  mine[threadIdx.x] = threadIdx.x;
  __barrier_sync(0);
  __prof_trigger(3);
  out[threadIdx.x] = mine[3 - threadIdx.x];
}

__global__ void halves(int* out) {
  __shared__ int mine[64];
  mine[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) {
    __barrier_sync_count(1, 32);
    out[threadIdx.x] = mine[31 - threadIdx.x];
  }
  __barrier_sync(2);
}
