// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nv/target's conditions with code that stands in parentheses, in braces or in neither.
// RUN: %lathe run %s -t cpu --grid 1 --group 1 --arg zeros:f64[2] --print 0:2 | FileCheck %s
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// CHECK: f64[2]: 228 1
#include <nv/target>

__device__ void addProduct(double* o, double a, double b) {
  o[0] += a * b;
}

__global__ void conditions(double* o) {
  // clang-format off
  NV_IF_TARGET(NV_IS_DEVICE, o[0] = 5;)
  NV_IF_TARGET(NV_IS_DEVICE, (int a[2] = {1, 2}; o[0] += a[1];))
  NV_IF_TARGET(NV_IS_HOST, o[0] = 7;)
  NV_IF_ELSE_TARGET(NV_IS_HOST, o[0] = 8;, addProduct(o, 2, 3); o[0] += 1;)
  NV_IF_ELSE_TARGET(NV_IS_DEVICE, { o[0] += 100; }, o[0] = 3;)
  NV_IF_TARGET(NV_IS_HOST, o[0] = 1;, NV_IF_TARGET(NV_IS_DEVICE, o[0] *= 2;))
  NV_DISPATCH_TARGET(NV_IS_HOST, o[0] = 9;, NV_PROVIDES_SM_50, (o[1] = 1;), NV_ANY_TARGET, o[1] = 2;)
  NV_IF_TARGET(NV_IS_DEVICE, )
  // clang-format on
}
