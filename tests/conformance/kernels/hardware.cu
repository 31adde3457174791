// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA C++ of which one vendor's hardware does the work: matrix units, barriers over the grid and over clusters,
// rounding by mode, narrow floats. hardware_test.cpp has the references.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <lathe/cuda/tensor/matrix_fragments.h>
#include <mma.h>

namespace cg = cooperative_groups;
using namespace nvcuda;

/// c = first + a b of 16 × 16 tiles by one warp; b column-major.
template <class Element, class Sum>
__device__ void multiply(const Element* a, const Element* b, Sum* c, Sum first) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, Element, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, Element, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> sum;
  wmma::fill_fragment(sum, first);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= 2;
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

extern "C" __global__ void matrix_half(const __half* a, const __half* b, float* c) {
  multiply(a, b, c, 0.0f);
}
extern "C" __global__ void matrix_bfloat(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  multiply(a, b, c, 1.0f);
}
extern "C" __global__ void matrix_bytes(const signed char* a, const signed char* b, int* c) {
  multiply(a, b, c, 0);
}

/// c = first + a b by fragments, of which each thread loads its own: a of 16 × 32 bytes, row-major; b of 32 × 8,
/// column-major.
template <class Sum, class Multiply>
__device__ void multiplyFragments(const unsigned char* a, const unsigned char* b, Sum* c, Sum first,
                                  Multiply multiply) {
  const unsigned group = threadIdx.x / 4, thread = threadIdx.x % 4;
  unsigned left[4], right[2];
  Sum sums[4] = {first, first, first, first};
  for (unsigned i = 0; i < 4; ++i)
    left[i] = *reinterpret_cast<const unsigned*>(a + (group + i % 2 * 8) * 32 + thread * 4 + i / 2 * 16);
  for (unsigned i = 0; i < 2; ++i) right[i] = *reinterpret_cast<const unsigned*>(b + group * 32 + thread * 4 + i * 16);
  multiply(sums, left, right);
  for (unsigned i = 0; i < 4; ++i) c[(group + i / 2 * 8) * 8 + thread * 2 + i % 2] = sums[i];
}
extern "C" __global__ void fragments_e4m3(const unsigned char* a, const unsigned char* b, float* c) {
  multiplyFragments(a, b, c, 1.0f, [](auto& sums, auto& x, auto& y) { lathe::cuda::mma_e4m3(sums, x, y); });
}
extern "C" __global__ void fragments_e5m2(const unsigned char* a, const unsigned char* b, float* c) {
  multiplyFragments(a, b, c, 1.0f, [](auto& sums, auto& x, auto& y) { lathe::cuda::mma_e5m2(sums, x, y); });
}
extern "C" __global__ void fragments_u8(const unsigned char* a, const unsigned char* b, int* c) {
  multiplyFragments(a, b, c, 1, [](auto& sums, auto& x, auto& y) { lathe::cuda::mma_u8(sums, x, y); });
}
/// 8 × 4 by 4 × 8 doubles.
extern "C" __global__ void fragments_f64(const double* a, const double* b, double* c) {
  double sums[2] = {1, 1};
  lathe::cuda::mma_f64(sums, a[threadIdx.x], b[threadIdx.x]);
  for (unsigned i = 0; i < 2; ++i) c[threadIdx.x / 4 * 8 + threadIdx.x % 4 * 2 + i] = sums[i];
}

/// Every round each item adds what an item of the next block had; wrong unless whole rounds are apart.
extern "C" __global__ void grid_rounds(unsigned* values, unsigned rounds) {
  const auto grid = cg::this_grid();
  const unsigned count = static_cast<unsigned>(grid.size()), i = static_cast<unsigned>(grid.thread_rank());
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned from = values[round * count + (i + blockDim.x) % count];
    values[(round + 1) * count + i] = values[round * count + i] + from;
    grid.sync();
  }
}

/// Each block of a cluster takes the sum of the shared memory of the others.
__device__ void addOtherBlocks(const unsigned* in, unsigned* out) {
  __shared__ unsigned mine;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = in[blockIdx.x];
  cluster.sync();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
      if (rank != cluster.block_rank()) sum += *cluster.map_shared_rank(&mine, rank);
    out[blockIdx.x] = sum;
  }
  cluster.sync();
}
extern "C" __global__ void cluster_sums(const unsigned* in, unsigned* out) {
  addOtherBlocks(in, out);
}
extern "C" __global__ void __cluster_dims__(4) cluster_dims_sums(const unsigned* in, unsigned* out) {
  addOtherBlocks(in, out);
}
extern "C" __global__ void __block_size__((32), (4)) block_size_sums(const unsigned* in, unsigned* out) {
  addOtherBlocks(in, out);
}

/// Sums, products, quotients and roots towards nearest, zero, up, down: 16 results an item.
extern "C" __global__ void rounded(unsigned n, const float* x, const float* y, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = x[i], b = y[i];
  const float results[16] = {__fadd_rn(a, b), __fadd_rz(a, b), __fadd_ru(a, b), __fadd_rd(a, b),
                             __fmul_rn(a, b), __fmul_rz(a, b), __fmul_ru(a, b), __fmul_rd(a, b),
                             __fdiv_rn(a, b), __fdiv_rz(a, b), __fdiv_ru(a, b), __fdiv_rd(a, b),
                             __fsqrt_rn(a),   __fsqrt_rz(a),   __fsqrt_ru(a),   __fsqrt_rd(a)};
  for (int k = 0; k < 16; ++k) out[16 * i + k] = results[k];
}

/// Every 8-bit code to float and back, of both formats: 0 where the same code comes back, or both are NaN.
extern "C" __global__ void narrow_floats(unsigned* wrong) {
  const unsigned char code = static_cast<unsigned char>(threadIdx.x);
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = code;
  b.__x = code;
  const float x = static_cast<float>(a), y = static_cast<float>(b);
  const bool infinite = y - y != 0;  // conversion saturates, so an infinity does not come back
  wrong[threadIdx.x] = (x == x && __nv_fp8_e4m3(x).__x != code) + 2 * (!infinite && __nv_fp8_e5m2(y).__x != code);
}

/// The block's slice by way of shared memory, reversed.
extern "C" __global__ void staged(const int* in, int* out) {
  __shared__ int tile[128];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * 128, sizeof(tile));
  cg::wait(block);
  out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x];
}
