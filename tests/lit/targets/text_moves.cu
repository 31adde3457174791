// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves between memory of two address spaces, one of which may be generic.
// RUN: %compile %s -t opencl-c --emit cl -o - | FileCheck %s
// RUN: %compile %s -t spirv --emit asm -o %t.spvasm
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: %compile %s -t amdgpu:gfx1100 --emit asm -o %t.s
// CHECK: kernel void {{.*}}moved
// CHECK-NOT: memmove
__global__ void moved(char* p, const char* q, int n) {
  __shared__ char shared[256];
  char own[64];
  char* const any = n > 3 ? shared : p;
  memmove(shared + 8, p, n);
  memmove(any, q, 24 + n);
  memmove(own, any, n & 63);
  for (int i = 0; i < 5; ++i) own[n + i & 63] ^= 3;
  memmove(p, own + (n & 7), 48);
  memmove(any, shared, n);
  for (int i = 0; i < 64; ++i) p[100 + i] = shared[i];
}
