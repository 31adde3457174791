// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over a local array in memory access four elements at once where they are unrolled and begin at such a place.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s

// CHECK-LABEL: .entry {{.*}}filled
// CHECK: st.local.v4.b32
// CHECK: ld.local.v4.b32
// CHECK: ret;
__global__ void filled(float* out, const float* in, int n) {
  float sums[80];
  for (int i = 0; i < n; ++i) sums[i] = 0.05f;
  for (int i = 0; i < n; ++i) sums[out[i] > 0 ? i : 2] += in[i];
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += sums[i];
  out[0] = sum;
}

// From the second element on, and by steps of any size, no four are together.
// CHECK-LABEL: .entry {{.*}}apart
// CHECK-NOT: local.v
// CHECK: ret;
__global__ void apart(float* out, const int* at, int n, int step) {
  float sums[80];
  for (int i = 1; i < n; i += 4) {
    sums[i] = 0.05f;
    sums[i + 1] = 0.05f;
  }
  for (int i = 0; i < n; i += step) sums[i] = 0.1f;
  out[0] = sums[at[0]];
}
