// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that take types of std have the symbols that GCC's library gives them, which nvcc's programs ask for.
// REQUIRES: libcxx
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: grep -o "\.entry [A-Za-z0-9_]*" %t.ptx | sed "s/.entry //" | LC_ALL=C sort > %t.ours
// RUN: %if nvcc %{ %nvcc -std=c++20 --expt-relaxed-constexpr -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: %if nvcc %{ grep -o "\.entry [A-Za-z0-9_]*" %t.nvcc.ptx | sed "s/.entry //" | LC_ALL=C sort > %t.theirs %}
// RUN: %if nvcc %{ diff %t.ours %t.theirs %}
// RUN: FileCheck %s < %t.ours
// CHECK-DAG: _Z5pairsSt4pairIifEPf
// CHECK-DAG: _Z6arraysSt5arrayIfLm4EEPf
// CHECK-DAG: _Z5tableISt17integral_constantIiLi3EEEvT_Pf
// CHECK-DAG: _Z10reductionsISt4plusIvEEvT_Pf
#include <array>
#include <functional>
#include <type_traits>
#include <utility>

__global__ void pairs(std::pair<int, float> x, float* out) { out[0] = x.first * x.second; }
__global__ void arrays(std::array<float, 4> x, float* out) { out[0] = x[threadIdx.x % 4]; }
template <class Size>
__global__ void table(Size, float* out) {
  out[0] = Size::value;
}
template <class Operation>
__global__ void reductions(Operation, float* out) {
  out[0] = 1;
}
template __global__ void table(std::integral_constant<int, 3>, float*);
template __global__ void reductions(std::plus<>, float*);
