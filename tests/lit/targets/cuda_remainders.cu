// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remainders in loops are taken once, with the bits that the source has.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// CHECK-LABEL: .entry _Z6countsPxx(
// CHECK-NOT: mul.hi.u64
// CHECK: mul.hi.u32
// CHECK-NOT: mul.hi.u64
// CHECK: ret;
__global__ void counts(long long* out, long long n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += i % 3;
  out[0] = sum;
}
