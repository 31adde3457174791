// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's `__bf16` where a format has no such type: bits of 16, at -O0 in functions that stay ones, parameters and variables
// too. spirv-val and Clang as a compiler of OpenCL C judge the result; conformance runs it.
//
// REQUIRES: spirv-val
// RUN: %compile %s -t spirv -O 0 --emit object -o %t.spv && spirv-val --target-env spv1.4 %t.spv
// RUN: %compile %s -t spirv -O 3 --emit object -o %t.spv && spirv-val --target-env spv1.4 %t.spv
// RUN: %compile %s -t opencl-c -O 0 --emit cl -o %t.cl && clang-22 -x cl -cl-std=CL3.0 -fsyntax-only -Werror -Wno-unused %t.cl
// RUN: %compile %s -t opencl-c -O 3 --emit cl -o %t.cl && clang-22 -x cl -cl-std=CL3.0 -fsyntax-only -Werror -Wno-unused %t.cl
// RUN: %compile %s -t metal --emit metal -o - | FileCheck %s --check-prefix=METAL --implicit-check-not=bfloat
// RUN: %compile %s -t cpu:znver4 -O 0 --emit asm -o - | FileCheck %s --check-prefix=X86 --implicit-check-not=vcvtneps2bf16
// RUN: %compile %s -t cpu:znver4 -O 3 --emit ir -o - | FileCheck %s --check-prefix=LANES --implicit-check-not='{{[<x ]}}bfloat{{[ >]}}'
// METAL: ushort
// Lanes that some items do not have, of which the vectoriser makes masked loads and stores.
// LANES: llvm.masked.store.v{{[0-9]+}}i16
// X86: half
struct Pair {
  __bf16 first, second;
};
__device__ __attribute__((noinline)) Pair half(Pair pair, __bf16 by) {
  return {pair.first * by, pair.second};
}
__constant__ __bf16 table[2] = {0.5f, 3.0f};
__global__ void k(__bf16* p, Pair pair, __bf16 by, int n) {
  __shared__ __bf16 kept[32];
  kept[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  pair = half(pair, by + table[n & 1]);
  p[threadIdx.x] = n > 4 ? kept[31 - threadIdx.x] : pair.first < by ? pair.second : static_cast<__bf16>(n);
}
__global__ void some(__bf16* p, const __bf16* q, const int* keep) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (keep[i]) p[i] = q[i] * static_cast<__bf16>(0.5f);
}
