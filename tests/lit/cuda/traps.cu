// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ends a kernel, and only where it is reached.
// RUN: not %lathe run %s -t cpu -k trap --grid 1 --group 4 --arg iota:i32[4] 2>&1 | FileCheck %s
// RUN: not %lathe run %s -t cpu -k breakpoint --grid 1 --group 4 --arg iota:i32[4] 2>&1 | FileCheck %s
// RUN: %lathe run %s -t cpu -k trap --grid 1 --group 3 --arg iota:i32[4] --print 0 | FileCheck %s --check-prefix=LEFT
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// CHECK: error: {{.*}}trap
// LEFT: 1 2 3 3
// PTX: trap;
// PTX: brkpt;
__global__ void trap(int* p) {
  if (p[threadIdx.x] == 3) __trap();
  p[threadIdx.x] += 1;
}
__global__ void breakpoint(int* p) {
  if (p[threadIdx.x] == 3) __brkpt();
  p[threadIdx.x] += 1;
}
