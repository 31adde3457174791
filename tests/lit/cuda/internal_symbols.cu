// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and variables that no other file can name and host code uses: one symbol each, and what kernels write the host
// reads. The symbols of kernels and of variables outside of namespaces are nvcc's, without the mark of internal linkage.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s --implicit-check-not=__static__ --implicit-check-not=__intern__ --implicit-check-not=.extern < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// CHECK-DAG: .visible .global .align 4 .u32 _ZN12_GLOBAL__N_17counterE;
// CHECK-DAG: .visible .global .align 4 .u32 total;
// CHECK-DAG: .visible .const .align 4 .b8 table[8];
// CHECK-DAG: .entry _ZN12_GLOBAL__N_16hiddenEPi(
// CHECK-DAG: .entry _Z3ownPi(
// CHECK-DAG: .entry _Z6filledIfEvPT_(
// CHECK-DAG: .entry _ZN5inner6cloned
// CHECK-DAG: .entry _Z9parameterIZ4hostPiEUliE_EvT_S0_(
//
// A kernel that the job names is found by that symbol too.
// RUN: %compile %s -t cuda:sm_80 -k own -k "filled<int>" -k "inner::cloned<3>" --emit ptx -o - | FileCheck %s --check-prefix=NAMED
// NAMED-DAG: .entry _Z3ownPi(
// NAMED-DAG: .entry _Z6filledIiEvPT_(
// NAMED-DAG: .entry _ZN5inner6clonedILi3EEEvPi(
#include <cuda_runtime.h>

namespace {
__device__ int counter;
__global__ void hidden(int* out) { *out = atomicAdd(&counter, 1); }
}  // namespace
static __device__ int total;
static __constant__ int table[2];
static __global__ void own(int* out) { total += table[*out & 1]; }
template <class T>
static __global__ void filled(T* out) {
  *out = T(1);
}
namespace inner {
template <int N>
static __global__ void cloned(int* out) {
  *out = N;
}
}  // namespace inner
template <class F>
__global__ void parameter(F f, int* out) { *out = f(*out); }

void host(int* out) {
  int value = 3;
  cudaMemcpyToSymbol(table, out, 8);
  cudaMemcpyToSymbol(counter, &value, 4);
  hidden<<<1, 1>>>(out);
  own<<<1, 1>>>(out);
  filled<<<1, 1>>>((float*)out);
  inner::cloned<2><<<1, 1>>>(out);
  parameter<<<1, 1>>>([] __device__(int i) { return i + 1; }, out);
  cudaMemcpyFromSymbol(&value, total, 4);
}
