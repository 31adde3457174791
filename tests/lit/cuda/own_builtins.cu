// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that define functions of CUDA's themselves. The definition is checked, and calls are of CUDA's function, as
// with nvcc; a second definition of a function of the program's own is an error as ever.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if nvcc %{ %nvcc -ptx -w -arch=sm_90 %s -o %t.nvcc.ptx && FileCheck %s < %t.nvcc.ptx %}
// RUN: %compile %s -t cpu -o %t.limg
// RUN: not %compile %s -t cuda:sm_90 -DTWICE --emit ptx -o %t.none 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: redefinition of 'own'
// CHECK: .entry _Z4bitsPiPKf
// CHECK-NOT: xor.b32
__device__ inline int __float_as_int(const float x) {
  union {
    float number;
    int bits;
  } both;
  both.number = x;
  return both.bits ^ 5;
}

__device__ int own(float x) {
  return __float_as_int(x) + 1;
}

#ifdef TWICE
__device__ int own(float x) {
  return 2;
}
#endif

__global__ void bits(int* out, const float* in) {
  out[threadIdx.x] = own(in[threadIdx.x]);
}
