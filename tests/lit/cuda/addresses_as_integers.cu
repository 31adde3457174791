// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses cast to integers of fewer bits: a warning, as nvcc has it, and the low bits.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s < %t.ptx
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_90 %s -o %t.nvcc.ptx 2>&1 | FileCheck %s --check-prefix=NVCC %}
// RUN: not %compile %s -DBOUND -t cuda:sm_90 --emit ptx -o - 2>&1 | FileCheck %s --check-prefix=BOUND
// SAID: warning: cast to smaller integer type 'int' from 'int *'
// SAID: warning: cast to smaller integer type 'unsigned int' from 'int *'
// SAID: warning: cast to smaller integer type 'short' from 'int *'
// SAID-NOT: error
// NVCC: conversion from pointer to smaller integer
// CHECK: .entry casts(
// CHECK: cvt.u32.u64
// What is an error beside such a cast stays one.
// BOUND: error: cannot initialize a variable of type 'int *' with an lvalue of type 'float *'
struct Member {
  __device__ int low(const void* p) const { return (short)p; }
};
template <class T>
__device__ T lowest(const T* p) {
  return (unsigned char)p;
}
extern "C" __global__ void casts(int* out) {
  out[6] = Member().low(out);
  out[7] = lowest(out);
  out[(int)out & 3] = (unsigned)(out + 1);
  if (short low = (short)out) {
    out[5] = low;
  }
#ifdef BOUND
  float* other = nullptr;
  int* same = other;
#endif
}
