// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two pairs that are exchanged or not are chosen: minima and maxima of keys, selects of values, no branch. What a
// condition makes of other values stays behind its branch.
// RUN: %compile %s -t cuda:sm_80 -k sorted --emit ptx -o - | FileCheck %s
// RUN: %compile %s -t cuda:sm_80 -k counted --emit ir -o - | FileCheck %s --check-prefix=OTHER

// CHECK-LABEL: .entry {{.*}}sorted
// CHECK-NOT: bra
// CHECK-DAG: min.s32
// CHECK-DAG: max.s32
// CHECK-DAG: selp.f32
// CHECK-NOT: bra
__global__ void sorted(int* keys, float* values) {
  int a = keys[threadIdx.x], b = keys[threadIdx.x + 1];
  float x = values[threadIdx.x], y = values[threadIdx.x + 1];
  if (b < a) {
    int k = a;
    a = b;
    b = k;
    float v = x;
    x = y;
    y = v;
  }
  keys[threadIdx.x] = a;
  keys[threadIdx.x + 1] = b;
  values[threadIdx.x] = x;
  values[threadIdx.x + 1] = y;
}

// OTHER: phi i32
__global__ void counted(const int* in, int* out, int n) {
  int a = in[0], b = in[1], c = in[2], d = in[3];
  if (a < n) {
    a = 1;
    b = 2;
    c = n;
    d = 4;
  }
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
}
