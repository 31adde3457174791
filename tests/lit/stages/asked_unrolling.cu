// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#pragma unroll` of a loop of products of tiles: some iterations become one where all would be more than the assembler
// behind the compiler schedules in minutes, as by nvcc. Loops of plain instructions and loops over private arrays are unrolled as a whole.
// RUN: %compile %s -t cuda:sm_90 -k products --emit ptx -o %t.ptx
// RUN: grep -c mma.sync.aligned %t.ptx | FileCheck %s --check-prefix=SOME
// RUN: %compile %s -t cuda:sm_90 -k kept --emit ptx -o %t.ptx
// RUN: grep -c mma.sync.aligned %t.ptx | FileCheck %s --check-prefix=ALL
// RUN: %compile %s -t cuda:sm_90 -k sums --emit ptx -o %t.ptx
// RUN: grep -c fma.rn %t.ptx | FileCheck %s --check-prefix=SUMS
// SOME: {{^[1-9][0-9][0-9]$}}
// ALL: {{^1024$}}
// SUMS: {{^2048$}}
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;
using Left = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using Right = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void products(const half* a, const half* b, float* out) {
  Sums sums[2];
  wmma::fill_fragment(sums[0], 0.0f);
  wmma::fill_fragment(sums[1], 0.0f);
#pragma unroll
  for (int i = 0; i < 1024; ++i) {
    Left left;
    Right right;
    wmma::load_matrix_sync(left, a + i * 256, 16);
    wmma::load_matrix_sync(right, b + i * 256, 16);
    wmma::mma_sync(sums[0], left, right, sums[0]);
    wmma::mma_sync(sums[1], left, right, sums[1]);
  }
  wmma::store_matrix_sync(out, sums[0], 16, wmma::mem_row_major);
  wmma::store_matrix_sync(out + 256, sums[1], 16, wmma::mem_row_major);
}

__global__ void kept(const half* a, float* out) {
  Sums sums[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    Left left;
    Right right;
    wmma::load_matrix_sync(left, a + i * 256, 16);
    wmma::fill_fragment(sums[i], 0.0f);
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      wmma::load_matrix_sync(right, a + j * 256, 16);
      wmma::mma_sync(sums[i], left, right, sums[i]);
    }
  }
#pragma unroll
  for (int i = 0; i < 64; ++i) wmma::store_matrix_sync(out + i * 256, sums[i], 16, wmma::mem_row_major);
}

__global__ void sums(const float* in, float* out) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 2048; ++i) sum = fmaf(sum, in[i], 1.0f);
  out[threadIdx.x] = sum;
}
