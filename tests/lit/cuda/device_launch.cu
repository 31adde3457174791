// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in kernels are refused in words of Lathe's own.
// RUN: not %compile %s -t cuda:sm_80 -o %t.limg 2>&1 | FileCheck %s
// RUN: not %compile %s -t cpu -o %t.limg 2>&1 | FileCheck %s
// CHECK: device_launch.cu:[[#@LINE+4]]:{{[0-9]+}}: error: a kernel or device function launches a kernel
// CHECK: hint: launch it from host code
__global__ void child(int* out) { *out = 1; }
__global__ void parent(int* out) {
  child<<<1, 1>>>(out);
}
int main() {
  parent<<<1, 1>>>(nullptr);
}
