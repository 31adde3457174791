// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parameter that is a constant of the grid is used where the launch put it: no copy, and an address in parameter space,
// as nvcc has it (a tensor map must not move). Elsewhere it is a parameter by value that the kernel cannot write.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s --check-prefix=USED < %t.ptx && FileCheck %s --check-prefix=FETCHED < %t.ptx && FileCheck %s --check-prefix=READ < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_90 %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.ptx %t.nvcc.ptx "(cvta\.param|\.local|prefetch\.tensormap|call)" any-order %}
// RUN: %compile %s -t cuda:sm_90 -O0 --emit ptx -o %t.0.ptx && FileCheck %s --check-prefix=PLAIN < %t.0.ptx
// RUN: %compile %s -t cuda:sm_60 --emit ptx -o %t.60.ptx -k copied
// RUN: not %compile %s -t cuda:sm_90 -D WRITTEN -o %t.no 2>&1 | FileCheck %s --check-prefix=WRITTEN
// RUN: %compile %s -t cpu -o %t.limg -k copied -k used
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg -k copied -k used
// RUN: %compile %s -t spirv -o %t.limg -k copied -k used
struct Table {
  int entries[64];
};
__device__ __noinline__ int look(const Table* table, int i) {
  return table->entries[i * 3];
}
// USED: .entry used(
// USED-NOT: .local
// USED: cvta.param
// USED: call
// PLAIN-LABEL: .entry used(
// PLAIN: cvta.param
extern "C" __global__ void used(const __grid_constant__ Table table, int* out, int i) {
  out[0] = look(&table, i);
}
// FETCHED: .entry fetched(
// FETCHED-NOT: .local
// FETCHED: cvta.param
// FETCHED: prefetch.tensormap
extern "C" __global__ void fetched(const __grid_constant__ Table table) {
#ifdef __CUDA_ARCH__
  if (__CUDA_ARCH__ >= 900) asm volatile("prefetch.tensormap [%0];" ::"l"(&table));
#endif
}
// READ: .entry read(
// READ-NOT: .local
extern "C" __global__ void read(const __grid_constant__ Table table, int* out, int i) {
  out[0] = table.entries[i];
}
extern "C" __global__ void copied(const __grid_constant__ Table table, int* out) {
  out[threadIdx.x] = table.entries[threadIdx.x * 5];
}
#ifdef WRITTEN
// WRITTEN: grid_constants.cu:[[#@LINE+1]]:{{.*}}error: {{.*}}__grid_constant__
__global__ void writes(__grid_constant__ Table table, int* out) {
  table.entries[0] = 1;
  out[0] = table.entries[1];
}
#endif
