// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A second function for kernels that wait for memory: the loads of several groups stand together, items that are beyond
// the data in one group take the groups one by one.
// RUN: %compile %s -t cuda:sm_90 -o %t.limg --dump-after coarsen 2> %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=NOT < %t.ll
// RUN: %lathe inspect %t.limg | FileCheck %s --check-prefix=INSPECT
// RUN: %lathe inspect %t.limg --json | FileCheck %s --check-prefix=JSON
// RUN: %compile %s -t cuda:sm_90 --coarsening 1 -o %t.one.limg
// RUN: %lathe inspect %t.one.limg --json | FileCheck %s --check-prefix=ONE
// RUN: %compile %s -t cuda:sm_90 --coarsening 3 -o %t.three.limg
// RUN: %lathe inspect %t.three.limg | FileCheck %s --check-prefix=THREE
// Code without an image, unoptimised code and targets without limits have none.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s --check-prefix=ONE
// RUN: %compile %s -t cuda:sm_90 -O0 --coarsening 4 -o %t.O0.limg
// RUN: %lathe inspect %t.O0.limg --json | FileCheck %s --check-prefix=ONE
// RUN: %compile %s -t amdgpu:gfx942 -k scale --coarsening 4 -o %t.amd.limg
// RUN: %lathe inspect %t.amd.limg --json | FileCheck %s --check-prefix=ONE

// ONE-NOT: $coarse
// INSPECT: coarse form scale$coarse4: a group serves 4, in launches of at least 16384 items a multiprocessor
// JSON: "symbol": "scale$coarse4"
// JSON-NEXT: "groups": 4
// THREE: coarse form scale$coarse3: a group serves 3, in launches of at least 0 items a multiprocessor

// CHECK-LABEL: define ptx_kernel void @"scale$coarse4"(
// CHECK-SAME: i32 %groups)
// CHECK: %[[FIRST:.*]] = mul nuw i32 {{%.*}}, 4
// CHECK: icmp
// CHECK: load float
// CHECK-NEXT: load float
// CHECK-NEXT: load float
// CHECK-NEXT: load float
// CHECK: store float
// CHECK: store float
// CHECK: store float
// CHECK: store float
// CHECK: phi i32
// CHECK: load float
// CHECK: store float
extern "C" __global__ void scale(float* x, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

// What groups do differently is done for one after the other; what is the same for all is done once.
// CHECK-LABEL: define ptx_kernel void @"pick$coarse4"(
// CHECK-COUNT-4: load float, ptr addrspace(1)
// CHECK-NEXT: zext
// CHECK-NEXT: getelementptr {{.*}} %table
// CHECK-NEXT: load float
// CHECK-NOT: load
// CHECK-COUNT-4: store float
// CHECK: phi i32
extern "C" __global__ void pick(const float* __restrict__ x, const float* __restrict__ table, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float value = x[i] * table[threadIdx.x];
  if (value > 0) out[i] = value;
}

// None for kernels that are made to wait, whose groups take turns of their own, or that reach far.
// NOT-NOT: @"{{(turns|counts|waits|far|wide|busy)}}$coarse
extern "C" __global__ void turns(const int* x, int* out) {  // loops of different lengths
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < x[i]; ++k) sum = sum * 3 + out[k];
  out[i] = sum;
}
extern "C" __global__ void counts(int* x) {
  x[8] = atomicAdd(x + (blockIdx.x * blockDim.x + threadIdx.x) % 7, 1);
}
extern "C" __global__ void waits(volatile int* x, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (x[blockIdx.x] == 0) {
  }
  out[i] = 1;
}
extern "C" __global__ void far(const float* x, float* out, int n) {  // a column of a matrix
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i * n];
}
extern "C" __global__ void wide(const float4* x, float4* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i];
}
extern "C" __global__ void busy(const float* x, float* out) {  // of its own place on the chip, not of its groups'
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned place;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(place));
  out[i] = x[i] + place;
}
