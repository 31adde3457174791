// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Annotations of members and local variables, of which no target makes code and which hide nothing from optimisation.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s
// RUN: %compile %s -t opencl-c -O0 --emit cl -o %t.cl
// RUN: %compile %s -t spirv -O0 --emit asm -o %t.spvasm
// CHECK: .entry {{.*}}annotated
// CHECK-NOT: .local
// CHECK: ld.global
// CHECK: ret;
struct Numbers {
  __attribute__((annotate("mine"))) float x[4];
  int n;
};
__global__ void annotated(const Numbers* in, float* out) {
  __attribute__((annotate("own"))) const int i = threadIdx.x;
  Numbers one = in[0];
  out[i] = one.x[2] + in[1].x[i & 3] + one.n;
}
