// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups are in the namespace of CUDA's own: libraries declare some of them beforehand, and kernels that
// take them have nvcc's symbols.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx && FileCheck %s < %t.nvcc.ptx %}
// CHECK: .entry _Z8countersIN18cooperative_groups4__v117thread_block_tileILj4EvEEEvPi(
namespace cooperative_groups {
namespace __v1 {
class thread_block;
template <unsigned int Size, typename Parent>
class thread_block_tile;
}  // namespace __v1
using namespace __v1;
}  // namespace cooperative_groups
#include <cooperative_groups.h>

template <class Group>
__global__ void counters(int* out) {
  const auto block = cooperative_groups::this_thread_block();
  *out = static_cast<int>(block.size() + cooperative_groups::tiled_partition<4>(block).size());
}
template __global__ void counters<cooperative_groups::thread_block_tile<4>>(int*);
