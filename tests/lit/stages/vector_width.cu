// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The items that an instruction serves are those that one computes for, also where no memory is accessed as a vector.
// RUN: %compile %s -t cpu:x86-64-v4 --features -prefer-256-bit -o %t.limg
// RUN: %lathe inspect %t.limg | FileCheck %s
// CHECK: strips(
// CHECK: 16 items per vector
// CHECK: alone(
// CHECK: uses 1 items per vector
__global__ void strips(int n, signed char* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long sum = 0;
  for (unsigned long left = static_cast<unsigned>(i); left > 0; left >>= 1)
    if (left & 1) sum = sum * 3 + left;
  out[i * 3L] = static_cast<signed char>(sum);
}

__global__ void alone(int* out) {
  atomicAdd(out, 1);
}
