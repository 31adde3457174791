// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly that names an operand it does not have, in a branch of a template: it counts where an instance takes
// the branch, as with nvcc, and not before.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DSHIFTED=true 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DPLAIN 2>&1 | FileCheck %s --check-prefix=PLAIN
// CHECK: .entry _Z6kernelPj
// CHECK: prmt.b32
// TAKEN: inline_ptx_branches.cu:[[@LINE+9]]:{{[0-9]+}}: error: invalid operand number in inline asm string
// PLAIN: inline_ptx_branches.cu:[[@LINE+18]]:{{[0-9]+}}: error: invalid operand number in inline asm string
#ifndef SHIFTED
#define SHIFTED false
#endif
template <bool Shifted>
__device__ unsigned bytes(unsigned x) {
  unsigned y;
  if constexpr (Shifted)
    asm("shf.l.wrap.b32 %0, %1, %1, %3;" : "=r"(y) : "r"(x));
  else
    asm("prmt.b32 %0, %1, 0, 0x0123;" : "=r"(y) : "r"(x));
  return y;
}
__global__ void kernel(unsigned* to) {
  to[0] = bytes<SHIFTED>(to[1]);
}
#ifdef PLAIN
__global__ void plain(unsigned* to) {
  asm("mov.b32 %0, %2;" : "=r"(to[0]));
}
#endif
