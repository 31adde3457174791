// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations that items leave one by one are taken by a strip of items together, also where their most is a constant:
// such a loop is not unrolled whole.
// RUN: %compile %s -t x86-64-v4 --emit asm -o - | FileCheck %s
// CHECK-LABEL: converge.group:
// CHECK: vdivpd {{.*}}%zmm
extern "C" __global__ void converge(int n, double density, const double* rates, double* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const double rate = rates[i];
  double value = density;
  for (int k = 0; k < 20; ++k) {
    const double before = value;
    value = density * rate / (rate + 1.0 / value) + density;
    if (fabs(before - value) < 1e-6) break;
  }
  out[i] = value;
}
