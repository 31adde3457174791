// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal calls of functions that write nothing are one call before they are inlined: of two copies of their loops,
// nothing would find that they are equal.
// RUN: %compile %s -t cuda -k twice -o %t.limg --dump-after simplify 2> %t.cuda
// RUN: FileCheck %s < %t.cuda
// RUN: %compile %s -t amdgpu -k twice -o %t.limg --dump-after simplify 2> %t.amdgpu
// RUN: FileCheck %s < %t.amdgpu
// CHECK: fdiv
// CHECK-NOT: fdiv
__device__ float steps(float x) {
  while (x > 1) x = x / 3;
  return x;
}
__global__ void twice(const float* in, float* out, int n) {
  const float x = in[threadIdx.x];
  float sum = steps(x);
  if (n > 3) sum += n * steps(x);
  out[threadIdx.x] = sum;
}
