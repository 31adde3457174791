// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A B by square tiles in shared memory; n is any size.
#define TILE 16

__global__ void __launch_bounds__(TILE* TILE) matmul(const float* A, const float* B, float* C, int n) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE + 1];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
    const int k = t * TILE;
    As[threadIdx.y][threadIdx.x] = row < n && k + threadIdx.x < n ? A[row * n + k + threadIdx.x] : 0.f;
    Bs[threadIdx.y][threadIdx.x] = col < n && k + threadIdx.y < n ? B[(k + threadIdx.y) * n + col] : 0.f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) acc += As[threadIdx.y][i] * Bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n) C[row * n + col] = acc;
}
