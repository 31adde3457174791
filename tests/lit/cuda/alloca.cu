// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// alloca of a size that the kernel learns at run time; where items of a group share a thread it is an error with its line.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: not %compile %s -t cpu -o %t.o 2>&1 | FileCheck %s --check-prefix=CPU
// CHECK: alloca.u64
// CPU: alloca.cu:[[@LINE+3]]:{{[0-9]+}}: error: reversed(int*, int): a local array whose size is not a constant

__global__ void reversed(int* out, int n) {
  int* const mine = static_cast<int*>(alloca(n * sizeof(int)));
  for (int i = 0; i < n; ++i) mine[i] = i * static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += (i + 1) * mine[n - 1 - i];
  out[threadIdx.x] = sum;
}
