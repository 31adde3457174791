// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A macro that becomes a directive, as compilers that read preprocessed text take it: the loop is unrolled, or is not.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2> %t.messages && FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty < %t.messages
// QUIET-NOT: {{warning|error}}
// CHECK: .entry {{.*}}rolled
// CHECK: bra
// CHECK: .entry {{.*}}unrolled
// CHECK-NOT: bra
// CHECK: ret;
#define UNROLL #pragma unroll
#define ROLLED #pragma unroll 1

__global__ void rolled(const float* in, float* out) {
  float sum = 0;
  ROLLED
  for (int i = 0; i < 7; ++i) sum += in[i * i];
  *out = sum;
}

__global__ void unrolled(const float* in, float* out) {
  float sum = 0;
  UNROLL
  for (int i = 0; i < 7; ++i) sum += in[i * i];
  *out = sum;
}
