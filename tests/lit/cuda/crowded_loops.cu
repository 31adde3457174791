// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An unrolled loop has 200 addresses that it does not change, of 30 numbers: they are computed in the loop, not kept in
// 400 registers across it: ptxas needs none of its memory for them (for nvcc 13.5's PTX 808 bytes).
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=USED %}
// CHECK: .entry sums(
// CHECK: {{^}}[[LOOP:\$L__BB0_[0-9]+]]:
// CHECK-COUNT-150: add.s64
// CHECK: bra {{.*}}[[LOOP]]
// USED: 0 bytes spill stores
extern "C" __global__ void sums(double* __restrict__ out, const double* __restrict__ factors, int times, int grid,
                                int stride) {
  const int item = blockIdx.x * blockDim.x + threadIdx.x;
  double* rows[10];
  double x[20];
#pragma unroll
  for (int i = 0; i < 10; ++i) rows[i] = out + (long(stride) * i + item) * grid;
  x[0] = factors[0];
#pragma unroll
  for (int i = 1; i < 20; ++i) x[i] = x[i - 1] * item;
  for (int time = 0; time < times; ++time) {
    const double factor = factors[time];
#pragma unroll
    for (int i = 0; i < 20; ++i) {
#pragma unroll
      for (int j = 0; j < 10; ++j) rows[j][i * grid + item] += factor * x[i];
    }
  }
}
