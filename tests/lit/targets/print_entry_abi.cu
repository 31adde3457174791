// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target that prints and allocates through the kernel's state alone gives kernels of images one, and says which option
// does where they are asked to be bare.
// RUN: %compile %s -t amdgpu:gfx1100 -o %t.limg && %lathe inspect %t.limg | FileCheck %s --check-prefix=IMAGE
// RUN: %compile %s -t amdgpu:gfx1100 --emit object --entry-abi state -o %t.o
// RUN: not %compile %s -t amdgpu:gfx1100 --entry-abi bare -o %t.bare 2>&1 | FileCheck %s
// RUN: not %compile %s -t amdgpu:gfx1100 --emit object -o %t.bare 2>&1 | FileCheck %s
// IMAGE: state
// CHECK: [[#@LINE+6]]:{{[0-9]+}}: error: printing in a kernel with the entry ABI 'bare' on amdgpu:gfx1100
// CHECK: hint: compile with the entry ABI 'state' (--entry-abi state)
// CHECK: [[#@LINE+5]]:{{[0-9]+}}: error: allocating memory in a kernel with the entry ABI 'bare' on amdgpu:gfx1100
// CHECK: [[#@LINE+5]]:{{[0-9]+}}: error: allocating memory in a kernel with the entry ABI 'bare' on amdgpu:gfx1100
// CHECK: hint: {{.*}}memory to take from
__global__ void hello(int** out) {
  printf("item %d\n", threadIdx.x);
  out[0] = new int(3);
  delete out[1];
}
