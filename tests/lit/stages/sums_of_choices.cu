// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants that a ladder of conditions adds to one number are chosen, and added once.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// RUN: %lathe run %s -t cpu -k binned --grid 1 --group 6 --arg zeros:i32[6] --arg iota:i32[6] --print 0 | FileCheck %s --check-prefix=RUNS
// CHECK: .entry _Z6binnedPiPKi(
// CHECK-COUNT-1: or.b32
// CHECK-NOT: or.b32
// CHECK: ret
// RUNS: i32[6]: 1280 257 258 515 3 3
__global__ void binned(int* out, const int* in) {
  const int x = in[threadIdx.x];
  int bins = x == 1 || x == 2 ? 1 : x == 0 ? 0 : 3;
  if (x == 2) bins = 2;
  if (x < 1) {
    bins |= 5 << 8;
  } else if (x < 3) {
    bins |= 1 << 8;
  } else if (x < 4) {
    bins |= 2 << 8;
  }
  out[threadIdx.x] = bins;
}
