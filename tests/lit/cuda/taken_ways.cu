// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where registers are scarce, an address that one way behind a branch uses is computed there.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// CHECK: .entry counted(
// CHECK: bar.sync
// CHECK: bra [[END:\$L__BB0_[0-9]+]];
// CHECK: mul.wide.s32 [[AT:%rd[0-9]+]],
// CHECK: add.s64 [[PLACE:%rd[0-9]+]], {{.*}}[[AT]];
// CHECK: {{atom|red}}.shared.add.u32 {{.*}}[[PLACE]]
// CHECK: [[END]]:
extern "C" __global__ void counted(const float* in, const int* digits, float* out, int first, int count) {
  __shared__ int bins[1024];
  float x[80];
#pragma unroll
  for (int i = 0; i < 80; ++i) x[i] = in[i * 256 + threadIdx.x];
  const int digit = digits[threadIdx.x];
  bins[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == first) atomicAdd(&bins[digit], count);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 80; ++i) out[i * 256 + threadIdx.x] = x[i] * bins[i];
}
