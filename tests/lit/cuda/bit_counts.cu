// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that take away one bit after the other are counts of bits, whatever they count with, and of nothing too; loops
// that do more with the bits stay.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// RUN: %lathe run %s -t cpu -k whole --grid 1 --group 8 --arg json:[0,1,4294967295,2147483649,6,255,1024,7] --print 0:8 | FileCheck %s --check-prefix=WHOLE
// RUN: %lathe run %s -t cpu -k first --grid 1 --group 8 --arg json:[0,1,4294967295,2147483649,6,255,1024,7] --print 0:8 | FileCheck %s --check-prefix=FIRST

// CHECK-LABEL: .entry _Z5wholePj(
// CHECK: popc.b32
// CHECK-NOT: bra
// CHECK: ret;
// WHOLE: 0 1 32 2 2 8 1 3
__global__ void whole(unsigned* p) {
  unsigned v = p[threadIdx.x], n = 0;
  for (; v; ++n) v &= v - 1;
  p[threadIdx.x] = n;
}
// CHECK-LABEL: .entry _Z5firstPj(
// CHECK: popc.b32
// CHECK: ret;
// FIRST: 13 13 106 16 16 34 13 19
__global__ void first(unsigned* p) {
  unsigned v = p[threadIdx.x], n = 10;
  do {
    v = (v - 1) & v;
    n += 3;
  } while (v != 0);
  p[threadIdx.x] = n + v;
}
// CHECK-LABEL: .entry _Z4widePy(
// CHECK: popc.b64
__global__ void wide(unsigned long long* p) {
  unsigned long long v = p[threadIdx.x];
  int n = 0;
  while (v != 0) {
    v &= v - 1;
    n++;
  }
  p[threadIdx.x] = n;
}
// CHECK-LABEL: .entry _Z4morePj(
// CHECK-NOT: popc
// CHECK: st.global
__global__ void more(unsigned* p) {
  unsigned v = p[threadIdx.x], n = 0;
  while (v) {
    p[n++] = v & -v;
    v &= v - 1;
  }
}
