// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor cores by nvcuda::wmma.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

#define MULTIPLIED(title, m, n, k, element, sum)                                                              \
  extern "C" __global__ void tiles_##title(const element* a, const element* b, sum* c) {                      \
    wmma::fragment<wmma::matrix_a, m, n, k, element, wmma::row_major> left;                                   \
    wmma::fragment<wmma::matrix_b, m, n, k, element, wmma::col_major> right;                                  \
    wmma::fragment<wmma::accumulator, m, n, k, sum> result;                                                   \
    wmma::fill_fragment(result, sum(0));                                                                      \
    wmma::load_matrix_sync(left, a, k);                                                                       \
    wmma::load_matrix_sync(right, b, k);                                                                      \
    wmma::mma_sync(result, left, right, result);                                                              \
    wmma::store_matrix_sync(c, result, n, wmma::mem_row_major);                                               \
  }
MULTIPLIED(half, 16, 16, 16, half, float)
MULTIPLIED(half_half, 16, 16, 16, half, half)
MULTIPLIED(half_wide, 32, 8, 16, half, float)
MULTIPLIED(bytes, 16, 16, 16, signed char, int)
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
MULTIPLIED(bfloat, 16, 16, 16, __nv_bfloat16, float)
MULTIPLIED(doubles, 8, 8, 4, double, double)
extern "C" __global__ void narrowed(const float* in, float* out) { out[0] = wmma::__float_to_tf32(in[0]); }
#endif
