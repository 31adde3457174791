// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of words that are taken by a mask in one place and a shift for all of them: of a word that is turned over by a
// variable, the variable takes part.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// CHECK: .entry fields(
// CHECK-COUNT-2: {{xor|lop3}}.b32
extern "C" __global__ void fields(unsigned* out, const unsigned* in, unsigned below, unsigned ones) {
  out[0] = (in[0] >> below) & ones;
  out[7] = (in[7] >> below) & ones;
  if (in[5] == 3) return;
  out[1] = ((in[1] ^ in[2]) >> below) & ones;
  out[2] = ((in[3] ^ in[4]) >> below) & ones;
}
