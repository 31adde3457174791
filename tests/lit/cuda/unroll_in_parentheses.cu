// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors of unrolling in parentheses, which nvcc takes without a word and obeys, where Clang warns that it does not.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2> %t.messages && FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty < %t.messages
// QUIET-NOT: warning
// CHECK: .entry {{.*}}unrolled
// CHECK-COUNT-4: add.f32
// CHECK-NOT: add.f32
constexpr int FACTOR = 3;

__global__ void unrolled(const float* in, float* out, int count) {
  float sum = 0;
#pragma unroll(FACTOR)
  for (int i = 0; i < 3 * count; ++i) sum += in[i];
  *out = sum;
}
