// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant offsets are added last to addresses of loads with a cache hint, so that they become offsets of instructions,
// as nvcc's do.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// CHECK: add.s64 %rd{{[0-9]+}}, [[BASE:%rd[0-9]+]], 128;
// CHECK: add.s64 %rd{{[0-9]+}}, [[BASE]], 256;
extern "C" __global__ void hinted(const int* p, int* q) {
  const int i = threadIdx.x;
  q[i] = __ldcg(p + 32 + i) + __ldcg(p + 64 + i);
}
