// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read-only variables are in constant memory as long as there is room; of more than 64 KiB the largest are in global memory,
// as all are that other compilers make. What hosts set stays.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// CHECK-DAG: .const .align 4 .b8 coefficients[400]
// CHECK-DAG: .const .align 4 .b8 {{.*}}few[20]
// CHECK-DAG: .global .align 4 .b8 {{.*}}squares[80000]
// CHECK: .entry looked(
// CHECK: ld.global
struct Table {
  int values[20000];
};
constexpr Table tableOfSquares() {
  Table out{};
  for (int i = 0; i < 20000; ++i) out.values[i] = i * i;
  return out;
}
__device__ const Table squares = tableOfSquares();
__device__ const int few[5] = {1, 2, 3, 4, 9};
__constant__ float coefficients[100];

extern "C" __global__ void looked(int* at) {
  at[0] = squares.values[at[1]] + few[at[2]] + static_cast<int>(coefficients[at[3]]);
}
