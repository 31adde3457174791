// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::wmma: one warp multiplies one tile, in each shape and some layouts.
#include <mma.h>

using namespace nvcuda;

/// Adds a product to c, twice.
template <int M, int N, int K, class T, class Out, class LayoutA, class LayoutB>
__device__ void multiply(const T* a, const T* b, Out* c, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> right;
  wmma::fragment<wmma::accumulator, M, N, K, Out> sum;
  wmma::load_matrix_sync(sum, c, layout == wmma::mem_row_major ? N : M, layout);
  wmma::load_matrix_sync(left, a, __is_same(LayoutA, wmma::row_major) ? K : M);
  wmma::load_matrix_sync(right, b, __is_same(LayoutB, wmma::row_major) ? N : K);
  wmma::mma_sync(sum, left, right, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] * Out(2);
  wmma::store_matrix_sync(c, sum, layout == wmma::mem_row_major ? N : M, layout);
}

template <int M, int N, class T, class LayoutA, class LayoutB>
__global__ void halves(const float* a, const float* b, float* c) {
  __shared__ T left[M * 16], right[N * 16];
  for (int i = threadIdx.x; i < M * 16; i += 32) left[i] = T(a[i]);
  for (int i = threadIdx.x; i < N * 16; i += 32) right[i] = T(b[i]);
  __syncthreads();
  multiply<M, N, 16, T, float, LayoutA, LayoutB>(left, right, c, wmma::mem_row_major);
}

template <int M, int N, class T>
__global__ void bytes(const T* a, const T* b, int* c) {
  multiply<M, N, 16, T, int, wmma::row_major, wmma::col_major>(a, b, c, wmma::mem_col_major);
}

__global__ void doubles(const double* a, const double* b, double* c) {
  multiply<8, 8, 4, double, double, wmma::row_major, wmma::col_major>(a, b, c, wmma::mem_row_major);
}

__global__ void narrowed(const float* a, const float* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::load_matrix_sync(sum, c, 16, wmma::mem_row_major);
  wmma::load_matrix_sync(left, a, 8);
  wmma::load_matrix_sync(right, b, 8);
  for (int i = 0; i < left.num_elements; ++i) left.x[i] = wmma::__float_to_tf32(left.x[i]);
  for (int i = 0; i < right.num_elements; ++i) right.x[i] = wmma::__float_to_tf32(right.x[i]);
  wmma::mma_sync(sum, left, right, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= 2;
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
__global__ void roundings(const float* in, unsigned* out) {
  const float x = wmma::__float_to_tf32(in[threadIdx.x]);
  out[threadIdx.x] = x == x ? __float_as_uint(x) : ~0u;
}
