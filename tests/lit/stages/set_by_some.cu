// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comes next for the group, and what is kept once for it, may be set by some items only: those that a guard lets
// into a loop. The loop over items counts them, so that it is vectors, and what they set is chosen behind it.
// RUN: %dump-after optimise -t cpu:x86-64-v4 2>&1 | FileCheck %s

// CHECK-LABEL: define {{.*}}@sums.group
// CHECK: call i32 @llvm.vector.reduce.add.v{{.*}}i32(
// CHECK-NOT: call i32 @llvm.vector.reduce.add
// CHECK: call i32 @llvm.vector.reduce.umin.v{{.*}}i32(
extern "C" __global__ void sums(int n, int count, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i * i < n) {
    float sum = 0;
    for (int k = 0; k < count; ++k) sum = sum * 0.5f + in[k * n + i];
    out[i] = sum;
  }
}
