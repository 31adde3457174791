// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::wmma: the tensor cores' tiles of half, bfloat16 and bytes; shuffles and arithmetic where there are none.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32
#include <mma.h>
#include <stdio.h>
using namespace nvcuda;

template <class In, class Out>
__global__ void multiply(const In* a, const In* b, Out* c, int m, int n, int k) {
  const int row = 16 * blockIdx.y, column = 16 * blockIdx.x;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, In, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, In, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, Out> sum;
  wmma::fill_fragment(sum, Out(0));
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(left, a + row * k + i, k);
    wmma::load_matrix_sync(right, b + column * k + i, k);
    wmma::mma_sync(sum, left, right, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] * Out(2);
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

int main() {
  multiply<<<dim3(4, 4), 32>>>((half*)NULL, (half*)NULL, (float*)NULL, 64, 64, 64);
  multiply<<<dim3(4, 4), 32>>>((__nv_bfloat16*)NULL, (__nv_bfloat16*)NULL, (float*)NULL, 64, 64, 64);
  multiply<<<dim3(4, 4), 32>>>((signed char*)NULL, (signed char*)NULL, (int*)NULL, 64, 64, 64);
  printf("%d\n", (int)cudaDeviceSynchronize());
}
