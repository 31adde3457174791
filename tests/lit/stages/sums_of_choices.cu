// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants that a long ladder of conditions adds to one number are chosen, and added once; those of a short one are
// added where they are.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// RUN: %lathe run %s -t cpu -k longLadder --grid 1 --group 16 --arg zeros:i32[16] --arg iota:f32[16] --arg iota:i32[16] --print 0 | FileCheck %s --check-prefix=RUNS
// CHECK: .entry _Z10longLadderPiPKfPKi(
// CHECK-COUNT-1: add.s32
// CHECK-NOT: add.s32
// CHECK: .entry _Z11shortLadderPiPKfPKi(
// CHECK-COUNT-3: add.s32
// CHECK: ret
// RUNS: i32[16]: 100 201 302 403 504 605 706 807 908 9 10 11 12 13 14 15
__global__ void longLadder(int* out, const float* in, const int* first) {
  const float x = in[threadIdx.x];
  int sum = first[threadIdx.x];
  if (x < 1)
    sum += 100;
  else if (x < 2)
    sum += 200;
  else if (x < 3)
    sum += 300;
  else if (x < 4)
    sum += 400;
  else if (x < 5)
    sum += 500;
  else if (x < 6)
    sum += 600;
  else if (x < 7)
    sum += 700;
  else if (x < 8)
    sum += 800;
  else if (x < 9)
    sum += 900;
  out[threadIdx.x] = sum;
}
__global__ void shortLadder(int* out, const float* in, const int* first) {
  const float x = in[threadIdx.x];
  int sum = first[threadIdx.x];
  if (x < 1)
    sum += 100;
  else if (x < 2)
    sum += 200;
  else if (x < 3)
    sum += 300;
  out[threadIdx.x] = sum;
}
