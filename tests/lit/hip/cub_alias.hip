// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hipCUB's names are in a namespace of their own, which sources call cub themselves.
// RUN: %lathe run %s -t cpu --grid 1 --group 64 --arg 'zeros:i32[1]' --print out 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARKS --allow-empty < %t.remarks
// RUN: %lathe run %s -D CUB -t cpu --grid 1 --group 64 --arg 'zeros:i32[1]' --print out | FileCheck %s
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg
// CHECK: out i32[1]: 2016
// REMARKS-NOT: not understood
#include <hip/hip_runtime.h>
#ifdef CUB
#include <cub/cub.cuh>
#endif
#include <hipcub/hipcub.hpp>
#ifndef CUB
namespace cub = hipcub;
#endif
__global__ void summed(int* out) {
  using Reduce = cub::BlockReduce<int, 64>;
  __shared__ hipcub::BlockReduce<int, 64>::TempStorage memory;
  const int sum = Reduce(memory).Sum(threadIdx.x);
  if (threadIdx.x == 0) *out = sum;
}
int main() {
  return 0;
}
