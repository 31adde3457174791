// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that votes with a mask of the threads below it, without itself: CUDA leaves that undefined, its devices give the
// votes of those that the mask names. Lane 0 names nobody.
// RUN: %lathe run %s -t cpu --grid 1 --group 32 --arg zeros:u32[32] --print 0:32 | FileCheck %s
// CHECK: 0 1 1 1 9 9 9 73
__global__ void votesBelow(unsigned* out) {
  const unsigned lane = threadIdx.x & 31;
  out[threadIdx.x] = __ballot_sync((1u << lane) - 1, lane % 3 == 0);
}
