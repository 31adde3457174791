// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly that names a register may read the launched group's position: such kernels have no coarse form. Other assembly
// is as good as an instruction.
// RUN: %compile %s -t cuda:sm_90 --coarsening 2 -o %t.limg
// RUN: %lathe inspect %t.limg | FileCheck %s
// CHECK-NOT: named$coarse2
// CHECK: coarse form plain$coarse2
// CHECK-NOT: named$coarse2
__device__ unsigned group() {
  unsigned out;
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(out));
  return out;
}
extern "C" __global__ void named(const int* x, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i] + group();
}
extern "C" __global__ void plain(const float* x, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __expf(x[i]);
}
