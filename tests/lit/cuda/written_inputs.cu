// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX that uses an input as a register in between: the value that it came from stays as it is, the counter of a
// loop here, on every target.
// RUN: %lathe run %s -t cpu -k swap --grid 1 --group 1 --arg iota:u32[8] --arg 8 --print p:8 | FileCheck %s --check-prefix=SWAP
// RUN: %lathe run %s -t cpu -k three --grid 1 --group 1 --arg iota:u32[8] --arg 5 --print p:8 | FileCheck %s --check-prefix=THREE
// RUN: %compile %s -t cuda:sm_90 -k swap --emit ptx -o - | FileCheck %s
// RUN: %compile %s -t cuda:sm_90 -k three --emit ptx -o - | FileCheck %s --check-prefix=TEXT
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg
// SWAP: p u32[8]: 0 16 32 48 64 80 96 112
// THREE: p u32[8]: 25 7 25 3 4
// CHECK: mov.b32 [[COUNTER:%r[0-9]+]], 0;
// CHECK: // begin inline asm
// CHECK-NOT: {{[ ,]}}[[COUNTER]],
// CHECK: // end inline asm
// CHECK: add.s32 [[COUNTER]], [[COUNTER]], 1;
// TEXT: add.u32 [[SUM:%r[0-9]+]], [[IN:%r[0-9]+]], [[IN]]; { .reg .u32 t; mov.u32 t, 5; mul.lo.u32 [[IN]], t, [[IN]]; mov.b32 [[LAST:%r[0-9]+]], [[IN]]; add.u32 [[SUM]], [[SUM]], -3; }
// TEXT: st.global{{.*}}, [[LAST]]
__global__ void swap(unsigned* p, unsigned n) {
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
    unsigned x = p[i];
    asm("shr.b32 %1, %0, 4;\n\t"
        "shl.b32 %0, %0, 4; or.b32 %0, %0, %1;"
        : "+r"(x)
        : "r"(i));
    p[i] = x;
  }
}

// Two results, an input that is written and an immediate, whose numbers change in the text.
__global__ void three(unsigned* p, unsigned n) {
  unsigned sum, last;
  asm volatile("add.u32 %0, %2, %2; { .reg .u32 t; mov.u32 t, 5; mul.lo.u32 %2, t, %2; mov.b32 %1, %2; add.u32 %0, %0, %3; }"
               : "=r"(sum), "=r"(last)
               : "r"(n), "n"(-3));
  p[0] = last;
  p[1] = sum;
  p[2] = n * 5;
}
