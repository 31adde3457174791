// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and variables that no other file can name and host code uses: one symbol each, and what kernels write the host
// reads.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s --implicit-check-not=__static__ --implicit-check-not=__intern__ --implicit-check-not=.extern < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// CHECK-DAG: .visible .global .align 4 .u32 _ZN12_GLOBAL__N_17counterE;
// CHECK-DAG: .visible .global .align 4 .u32 _ZL5total;
// CHECK-DAG: .visible .const .align 4 .b8 _ZL5table[8];
// CHECK-DAG: .entry _ZN12_GLOBAL__N_16hiddenEPi(
// CHECK-DAG: .entry _ZL3ownPi(
// CHECK-DAG: .entry _Z9parameterIZ4hostPiEUliE_EvT_S0_(
#include <cuda_runtime.h>

namespace {
__device__ int counter;
__global__ void hidden(int* out) { *out = atomicAdd(&counter, 1); }
}  // namespace
static __device__ int total;
static __constant__ int table[2];
static __global__ void own(int* out) { total += table[*out & 1]; }
template <class F>
__global__ void parameter(F f, int* out) { *out = f(*out); }

void host(int* out) {
  int value = 3;
  cudaMemcpyToSymbol(table, out, 8);
  cudaMemcpyToSymbol(counter, &value, 4);
  hidden<<<1, 1>>>(out);
  own<<<1, 1>>>(out);
  parameter<<<1, 1>>>([] __device__(int i) { return i + 1; }, out);
  cudaMemcpyFromSymbol(&value, total, 4);
}
