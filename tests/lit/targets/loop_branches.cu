// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas 13.0 unrolls a loop that ends in a branch back to its begin, by a comparison that holds.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// CHECK-LABEL: .entry sum
// CHECK: [[LOOP:\$L__BB[0-9_]+]]:
// CHECK: fma.rn.f32
// CHECK: setp.{{ne|lt|gt}}.{{[bsu]}}32 [[AGAIN:%p[0-9]+]]
// CHECK-NEXT: @[[AGAIN]] bra [[LOOP]];
extern "C" __global__ void sum(const float* x, float* out, int begin, int end, int step) {
  float sum = 0;
  for (int i = begin; i < end; i += step) sum += x[i] * x[i];
  out[threadIdx.x] = sum;
}
