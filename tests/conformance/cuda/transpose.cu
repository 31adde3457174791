// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposition through a padded tile; each thread moves four rows.
constexpr int tileSize = 32;
constexpr int blockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[tileSize][tileSize + 1];
  int x = blockIdx.x * tileSize + threadIdx.x;
  int y = blockIdx.y * tileSize + threadIdx.y;
  for (int j = 0; j < tileSize; j += blockRows)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * tileSize + threadIdx.x;
  y = blockIdx.x * tileSize + threadIdx.y;
  for (int j = 0; j < tileSize; j += blockRows)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
