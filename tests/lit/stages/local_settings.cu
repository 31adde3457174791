// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local arrays that are set to zeros or to one byte are stored by their elements: ptxas keeps an array in registers only
// if no access is wider than an element, and more than 128 bytes would be stored one by one.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// RUN: %compile %s -t cuda:sm_90 -O0 --emit ptx -o %t.ptx

// CHECK-LABEL: .entry {{.*}}words
// CHECK-NOT: st.local.b64
// CHECK: st.local.v4.b32 {{.*}}], {0, 0, 0, 0};
// CHECK: st.local.v4.b32 {{.*}}+16], {0, 0, 0, 0};
// CHECK: st.local.v4.b32 {{.*}}], {%r
// CHECK: ret;
__global__ void words(const int* in, float* out, int n) {
  float sums[8] = {};
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 8; ++k) sums[k] += in[i * 8 + k] * 2.f;
  if (threadIdx.x < 8) out[threadIdx.x] = sums[threadIdx.x];
}

// CHECK-LABEL: .entry {{.*}}rest
// CHECK-NOT: st.local.b8
// CHECK-COUNT-2: st.local.v4.b32
// CHECK: st.local.b32
// CHECK: ret;
__global__ void rest(const int* in, int* out, int n) {
  int counts[9];
  memset(counts, 0xff, sizeof counts);
  for (int i = 0; i < n; ++i) counts[in[i]] += in[i + n];
  out[threadIdx.x] = counts[in[threadIdx.x]];
}

// More than sixteen stores are a loop.
// CHECK-LABEL: .entry {{.*}}large
// CHECK-NOT: st.local.b8
// CHECK: st.local.v4.b32
// CHECK-NOT: st.local.v4.b32
// CHECK: ret;
__global__ void large(const int* in, float* out, int n) {
  float bins[160] = {};
  for (int i = 0; i < n; ++i) bins[in[i]] += in[i + n];
  out[threadIdx.x] = bins[in[threadIdx.x]];
}
