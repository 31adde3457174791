// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#pragma nounroll` is no pragma of CUDA's: nvcc warns of it and unrolls the loop, so that its array becomes registers.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - 2>&1 | FileCheck %s
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_90 %s -o - 2>&1 | FileCheck %s --check-prefix=NVCC %}
// CHECK: nounroll.cu:[[#@LINE+15]]:{{.*}}warning: '#pragma nounroll' is none of CUDA's and is ignored; write '#pragma unroll 1'
// CHECK: .entry _Z7squaresPi
// CHECK-NOT: {{local|bra}}
// CHECK: ret;
// CHECK: .entry _Z6rolledPi
// CHECK: bra
// NVCC: warning #20199-D: unrecognized #pragma
// NVCC: .entry _Z7squaresPi
// NVCC-NOT: {{local|bra}}
// NVCC: ret;
// NVCC: .entry _Z6rolledPi
// NVCC: bra
__global__ void squares(int* values) {
  int own[4];
  for (int i = 0; i < 4; ++i) own[i] = values[i * 7 + 2];
#pragma nounroll
  for (int i = 0; i < 4; ++i) own[i] = own[i] * own[i] + values[i];
  for (int i = 0; i < 4; ++i) values[i * 7 + 2] = own[i];
}

__global__ void rolled(int* values) {
#pragma unroll 1
  for (int i = 0; i < 4; ++i) values[i] = values[i] * values[i];
}
