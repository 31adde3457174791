// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A member of a local structure that a function chooses is chosen among registers, also where it is several words.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// RUN: %lathe run %s -t cpu -k transposed --grid 1 --group 32 --arg iota:u32[512] --arg zeros:u32[384] --print 1 | FileCheck %s --check-prefix=RUNS
// CHECK: .entry
// CHECK-NOT: local
// RUNS: u32[384]: 0 1 2 3 132 133 134 135 264 265 266 267 396 397 398 399
struct Rows {
  uint4 a, b, c, d;
  __device__ uint4 row(unsigned i) const {
    switch (i) {
      case 0:
        return a;
      case 1:
        return b;
      case 2:
        return c;
      case 3:
        return d;
    }
    return {};
  }
};
__global__ void transposed(const uint4* in, uint4* out) {
  const unsigned id = threadIdx.x;
  Rows rows{in[id], in[id + 32], in[id + 64], in[id + 96]};
  out[id] = rows.row(id & 3);
  out[id + 32] = rows.row((id + 2) & 3);
  rows.a.x += 1;
  out[id + 64] = rows.row(id & 3);
}
