// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant is split from an index only where another address has the rest of it: what is left is two terms, which would be
// extended and added in 64 bits.
// RUN: %compile %s -t cuda:sm_90 -k guarded --emit ptx -o - | FileCheck %s --check-prefix=GUARDED
// GUARDED-NOT: cvt.s64.s32
// GUARDED: mul.wide.s32
// RUN: %compile %s -t cuda:sm_90 -k together --emit ptx -o - | FileCheck %s --check-prefix=TOGETHER
// TOGETHER: ld.global.b32 {{.*}}, {{\[}}[[BASE:%rd[0-9]+]]+4]
// TOGETHER: ld.global.b32 {{.*}}, {{\[}}[[BASE]]+8]
extern "C" __global__ void guarded(const float* in, float* out, int width, int row, int a, int b) {
  const int x = threadIdx.x;
  float sum = 0;
  if (a > x) sum += in[row * width + (x - 1)];
  if (b > x) sum += in[row * width + (x + 1)];
  out[row * width + x] = sum;
}
extern "C" __global__ void together(const float* in, float* out, int width, int row) {
  const int x = threadIdx.x;
  out[row * width + x] = in[row * width + (x + 1)] * in[row * width + (x + 2)];
}
