// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number that does not fit the integer it is cast to, known once functions are inlined, gives some integer: code that
// depends on it stays, as nvcc's does.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_90 %s -o %t.nvcc.ptx && FileCheck %s < %t.nvcc.ptx %}
// CHECK: .entry casts(
// CHECK-COUNT-4: st.global
// CHECK: ret;
__device__ int toInt(float f) { return f; }
__device__ unsigned long long toLong(double f) { return f; }
extern "C" __global__ void casts(long long* out) {
  out[0] = toInt(1e20f) > 5 ? 1 : 2;
  out[1] = toLong(-1e300) / 3;
  out[2] = llroundf(1e20f);
  if (toInt(__int_as_float(0x7fc00000)) != 77) out[3] = 7;
}
