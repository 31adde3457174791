// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of a program's own that become a half as readily as a float, in programs without CUDA's operators: the
// language compares them and adds them.
// RUN: %compile %s -t cuda:sm_80 -D__CUDA_NO_HALF_OPERATORS__ --emit ptx -o %t.ptx
// RUN: %if nvcc %{ %nvcc -std=c++17 -D__CUDA_NO_HALF_OPERATORS__ -D__CUDA_NO_BFLOAT16_OPERATORS__ -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// CHECK: .entry {{.*}}compared
// CHECK: setp.{{gt|lt|leu}}.f32
// CHECK: add{{.*}}.f32
#include <cuda_fp16.h>
#include <cuda_bf16.h>

template <class Native>
struct Number {
  unsigned short bits;
  __host__ __device__ operator float() const { return bits; }
  __host__ __device__ operator Native() const { return Native(); }
};

template <class T>
__device__ void compare(const T* in, float* out) {
  const T a = in[threadIdx.x], b = in[threadIdx.x + 1];
  out[0] = a > b ? a + b : a == b;
}
__global__ void compared(const Number<__half>* in, float* out) {
  compare(in, out);
}
__global__ void comparedWide(const Number<__nv_bfloat16>* in, float* out) {
  compare(in, out);
}
