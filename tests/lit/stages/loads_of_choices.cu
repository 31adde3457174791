// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function that returns a reference to one of its arguments chooses is in registers, also where the choice is
// made in two steps.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// RUN: %lathe run %s -t cpu -k greatest --grid 1 --group 2 --arg iota:i32[16] --arg zeros:i32[4] --arg 8 --print 1 | FileCheck %s --check-prefix=RUNS
// CHECK: .entry
// CHECK-NOT: local
// RUNS: i32[4]: 7 6 7 7
struct Place {
  int value;
  long index;
};
__device__ const Place& greater(const Place& a, const Place& b) {
  if (a.value < b.value) return b;
  if (b.value < a.value) return a;
  return a.index < b.index ? a : b;
}
extern "C" __global__ void greatest(const int* in, int* out, int n) {
  Place best{in[threadIdx.x] & ~1, 0};
  for (int i = 1; i < n; ++i) {
    const Place next{in[i] | static_cast<int>(threadIdx.x ^ 1), i};
    best = greater(best, next);
  }
  out[threadIdx.x * 2] = best.value;
  out[threadIdx.x * 2 + 1] = static_cast<int>(best.index);
}
