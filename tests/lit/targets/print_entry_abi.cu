// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target that prints through the kernel's state alone says which option gives it one.
// RUN: not %compile %s -t amdgpu:gfx1100 -o %t.limg 2>&1 | FileCheck %s
// RUN: %compile %s -t amdgpu:gfx1100 --entry-abi state -o %t.limg
// CHECK: [[#@LINE+3]]:{{[0-9]+}}: error: printing from a kernel with the entry ABI 'bare' on amdgpu:gfx1100
// CHECK: hint: compile with the entry ABI 'state' (--entry-abi state)
__global__ void hello() {
  printf("item %d\n", threadIdx.x);
}
