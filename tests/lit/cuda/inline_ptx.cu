// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX compiles for the target it was written for as it is, and is translated elsewhere: what is left there of a
// majority of bits is logic.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t amdgpu:gfx1100 --emit asm -o %t.s && FileCheck %s --check-prefix=AMD < %t.s
// RUN: %compile %s -t spirv -o %t.limg
// CHECK: %laneid
// CHECK: lop3.b32
// AMD-LABEL: _Z6kernelPj:
// AMD: v_mbcnt_lo_u32_b32
// AMD: s_and_b32
__device__ unsigned laneId() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ unsigned majority(unsigned a, unsigned b, unsigned c) {
  unsigned out;
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(out) : "r"(a), "r"(b), "r"(c));
  return out;
}

__global__ void kernel(unsigned* data) {
  data[threadIdx.x] = laneId() + majority(data[0], data[1], data[2]);
}

int main() {
  kernel<<<1, 32>>>(0);
}
