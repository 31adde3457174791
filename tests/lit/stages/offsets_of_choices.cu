// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A member of a local structure that a function chooses is chosen among registers, also where it is several words.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg --dump-after simplify 2> %t.ll
// RUN: FileCheck %s --check-prefix=IR < %t.ll
// CHECK-NOT: local
// IR-NOT: alloca
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
