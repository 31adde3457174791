// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups whose items work together are jammed with variables of their own, and wait at one barrier.
// RUN: %compile %s -t cuda:sm_90 -o %t.limg --dump-after coarsen 2> %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=NOT < %t.ll

// CHECK-COUNT-3: @"_ZZ7reverseE4tile.reverse$coarse.{{[1-3]}}" = internal {{.*}}addrspace(3) global [64 x float]
// CHECK: @_ZZ7reverseE4tile = internal {{.*}}addrspace(3) global [64 x float]
// CHECK-LABEL: define ptx_kernel void @"reverse$coarse4"(
// CHECK-COUNT-4: load float, ptr addrspace(1)
// CHECK-COUNT-4: store float {{.*}} addrspace(3)
// CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK-NOT: call void @llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK-COUNT-4: load float, ptr addrspace(3)
// CHECK-COUNT-4: store float {{.*}} addrspace(1)
// One by one: a barrier of the kernel, and one between a group and the next, which uses the same variables.
// CHECK: phi i32
// CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all
extern "C" __global__ void reverse(const float* x, float* out) {
  __shared__ float tile[64];
  const int first = blockIdx.x * 64;
  tile[threadIdx.x] = x[first + threadIdx.x];
  __syncthreads();
  out[first + threadIdx.x] = tile[63 - threadIdx.x];
}

// CHECK-LABEL: define ptx_kernel void @"sums$coarse4"(
// CHECK-COUNT-4: call i32 @llvm.nvvm.shfl.sync.down.i32
extern "C" __global__ void sums(const float* x, float* out) {
  float value = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(~0u, value, step);
  if (threadIdx.x % 32 == 0) atomicAdd(out, value);
}

// None where a barrier or a shuffle is behind a condition that differs between items or groups, where the order of
// groups is seen, or where a launch says how much shared memory there is.
// NOT-NOT: @"{{(some|odd|tickets|sized)}}$coarse
extern "C" __global__ void some(const float* x, float* out, int n) {
  __shared__ float tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;  // no barrier for items beyond the data
  tile[threadIdx.x] = x[i];
  __syncthreads();
  out[i] = tile[63 - threadIdx.x];
}
extern "C" __global__ void odd(const float* x, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[i];
  if (blockIdx.x % 2) value += __shfl_down_sync(~0u, value, 1);
  out[i] = value;
}
extern "C" __global__ void tickets(const float* x, float* out, int* next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[atomicAdd(next, 1)] = x[i];
}
extern "C" __global__ void sized(const float* x, float* out) {
  extern __shared__ float all[];
  all[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = all[63 - threadIdx.x];
}
