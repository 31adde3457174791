// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local array of which bits choose between two elements is in registers, whatever arithmetic the choice became.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s

__device__ void turn(unsigned (&x)[8], unsigned by) {
#pragma unroll
  for (int distance = 4; distance > 0; distance >>= 1) {
    unsigned y[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) y[i] = x[(i + (by & distance)) % 8];
#pragma unroll
    for (int i = 0; i < 8; ++i) x[i] = y[i];
  }
}

// CHECK-LABEL: .entry {{.*}}turned
// CHECK-NOT: .local
// CHECK: ret;
__global__ void turned(unsigned* p, unsigned by) {
  unsigned x[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) x[i] = p[threadIdx.x * 8 + i];
  turn(x, by + threadIdx.x);
#pragma unroll
  for (int i = 0; i < 8; ++i) p[threadIdx.x * 8 + i] = x[i];
}

// Subtracted from a constant, and with a choice in it.
// CHECK-LABEL: .entry {{.*}}subtracted
// CHECK-NOT: .local
// CHECK: ret;
__global__ void subtracted(const unsigned* in, unsigned* out, unsigned n) {
  unsigned x[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) x[i] = in[i];
#pragma unroll
  for (int i = 0; i < 6; ++i) out[i] = x[7 - i - (n & 2 ? 1 : 0)] + x[5 - i + ((n >> 3) & 1)];
}

// Three bits choose: memory.
// CHECK-LABEL: .entry {{.*}}any
// CHECK: .local
// CHECK: ret;
__global__ void any(const unsigned* in, unsigned* out, unsigned n) {
  unsigned x[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) x[i] = in[i];
  out[0] = x[n & 7];
}
