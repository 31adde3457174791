// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Default arguments that a later declaration of a function template adds, as CUDA's compiler takes them: for calls behind
// it, and for templates that an earlier template made an instance of.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=remark:
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o - | FileCheck %s %}
namespace sums {
template <int N, int M>
__device__ int sum(int a, int b);
template <int N>
__device__ int early(int a) {
  return sum<N, 3>(a, 7);
}
template <int N, int M = 3>
__device__ int sum(int a, int b = 5) {
  return a + b + N * M;
}
template <int N>
__device__ int late(int a) {
  return sum<N>(a);
}
template <int N>
__global__ void both(int* p) {
  *p = early<N>(p[1]) * late<N>(p[2]);
}
}  // namespace sums
// CHECK-LABEL: .entry _Z5plainPi
// CHECK: add.s32 {{.*}}, 8;
__global__ void plain(int* p) {
  *p = sums::sum<1>(p[1]);
}
// CHECK-LABEL: .entry _ZN4sums4bothILi3EEEvPi
// CHECK: add.s32 {{.*}}, 16;
// CHECK: add.s32 {{.*}}, 14;
template __global__ void sums::both<3>(int*);
