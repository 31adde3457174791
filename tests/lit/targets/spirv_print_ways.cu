// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf in several kernels of a module and in both ways of a branch: each keeps its format, which is a literal.
// RUN: %lathe compile %s -t spirv --emit spv -o %t.spv
// RUN: %if spirv-val %{ spirv-val --target-env spv1.4 %t.spv %}
// RUN: %compile %s -t spirv -k ways --entry-abi bare --dump-after late -o %t.limg 2> %t.late
// RUN: FileCheck %s < %t.late
// CHECK: call i32 (ptr addrspace(2), ...) @printf(
// CHECK: call i32 (ptr addrspace(2), ...) @printf(
#include <cstdio>

__global__ void sum(const float* p, int n) {
  float r = 0;
  for (int i = 0; i < n; ++i) r += p[threadIdx.x + i];
  if (r > 1 || r < -1) printf("[%d] %f\n", threadIdx.x, r);
}

__global__ void product(const float* p, int n) {
  float r = 0;
  for (int i = 0; i < n; ++i) r += p[threadIdx.x + i] * p[i];
  if (r > 1 || r < -1) printf("[%d] %f\n", threadIdx.x, r);
}

__global__ void ways(const int* p) {
  if (p[0]) printf("a %d\n", p[1]);
  else printf("b %d\n", p[1]);
}
