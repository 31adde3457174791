// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An inner loop takes 140 numbers of 64 bits that do not change, which are more than there are registers: it computes some
// from what they have in common. 60 of them wait for it.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// CHECK: .entry few(
// CHECK: begin inline asm
// CHECK-NOT: cvt.u64
// CHECK: .entry many(
// CHECK: begin inline asm
// CHECK-COUNT-15: cvt.u64
template <int Count>
__device__ void used(float* out, int stride, int times, int rows) {
  for (int row = 0; row < rows; ++row) {
    for (int time = 0; time < times; ++time) {
#pragma unroll
      for (int k = 0; k < Count; ++k)
        asm volatile("// %0" ::"l"(static_cast<long>((threadIdx.x * 8 + k) * stride)));
    }
    out[row] = 1;
  }
}
extern "C" __global__ void few(float* out, int stride, int times, int rows) {
  used<60>(out, stride, times, rows);
}
extern "C" __global__ void many(float* out, int stride, int times, int rows) {
  used<140>(out, stride, times, rows);
}
