// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematics of constants is computed by the compiler, as nvcc's: roots also where they are written in functions, the
// others where they are called with numbers.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o - | FileCheck %s %}
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o - | FileCheck %s --check-prefix=AMD
// CHECK-NOT: sqrt
// CHECK-NOT: ex2
// CHECK-NOT: call
// CHECK: ret;
// AMD-NOT: v_sqrt
// AMD-NOT: v_exp
// AMD: s_endpgm
__device__ float pole(float x) { return sqrtf(x) - 2; }

__global__ void filter(float* out) {
  out[0] = pole(3) * out[1] / (1 - pole(3));
  out[2] = expf(3) + powf(2, 0.5f) + static_cast<float>(log(2.0));
}
