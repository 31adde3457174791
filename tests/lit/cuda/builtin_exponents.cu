// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of C's library that headers call as Clang's builtins, which bring no definition: libcu++ does for quotients of
// complex numbers.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg

// CHECK: .entry {{.*}}exponents
// CHECK-NOT: call
__global__ void exponents(float* x, double* y) {
  x[0] = __builtin_logbf(x[1]) + __builtin_scalbnf(x[2], 3);
  y[0] = __builtin_logb(y[1]) + __builtin_scalbn(y[2], 3);
}
