// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over an item's array is unrolled though it is larger than LLVM's limit: the array becomes registers.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// CHECK-NOT: .local
// CHECK: ret;
__global__ void powers(const float* in, float* out) {
  float kept[24];
  for (int i = 0; i < 24; ++i) kept[i] = in[i * 256 + threadIdx.x];
  for (int i = 0; i < 24; ++i) {
    float x = kept[i];
    x = x * x - 1 / (x + 2);
    x = x * x - 3 / (x + 4);
    x = x * x - 5 / (x + 6);
    x = x * x - 7 / (x + 8);
    x = x * x - 9 / (x + 10);
    kept[i] = x > 0 ? x : -x * in[i];
  }
  for (int i = 0; i < 24; ++i) out[i * 256 + threadIdx.x] = kept[i];
}
