// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An item's array in memory is aligned for the widest access, so that neighbouring elements are stored at once; one
// whose size is no multiple of that is not.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx

// CHECK-LABEL: .entry kept(
// CHECK: .local .align 16
// CHECK-COUNT-8: st.local.v2.b64
// CHECK-NOT: st.local.b64
extern "C" __global__ void kept(double* out, const double* in, const int* place) {
  double numbers[16];
  for (int k = 0; k < 16; ++k) numbers[k] = in[k * 32 + threadIdx.x];
  out[threadIdx.x] = numbers[place[threadIdx.x] & 15];
}

// CHECK-LABEL: .entry odd(
// CHECK: .local .align 4
// CHECK-NOT: st.local.v
extern "C" __global__ void odd(float* out, const float* in, const int* place) {
  float numbers[7];
  for (int k = 0; k < 7; ++k) numbers[k] = in[k * 32 + threadIdx.x];
  out[threadIdx.x] = numbers[place[threadIdx.x] % 7];
}
