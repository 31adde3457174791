// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dense linear algebra: products, transposes, one step of eliminations.
#include <cuda_fp16.h>

extern "C" __global__ void matmulNaive(const float* a, const float* b, float* c, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

template <typename T, int TILE>
__device__ void multiplyTiles(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int n) {
  __shared__ T ta[TILE][TILE];
  __shared__ T tb[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  T sum = 0;
  for (int t = 0; t < n / TILE; t++) {
    ta[ty][tx] = a[row * n + t * TILE + tx];
    tb[ty][tx] = b[(t * TILE + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += ta[ty][k] * tb[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

extern "C" __global__ void matmulTiled(const float* a, const float* b, float* c, int n) {
  multiplyTiles<float, 16>(a, b, c, n);
}

extern "C" __global__ void matmulDouble(const double* a, const double* b, double* c, int n) {
  multiplyTiles<double, 16>(a, b, c, n);
}

// Each thread computes four by four results.
extern "C" __global__ void matmulBlocked(const float* __restrict__ a, const float* __restrict__ b,
                                         float* __restrict__ c, int n) {
  __shared__ float ta[16][65];
  __shared__ float tb[16][64];
  int t = threadIdx.x;
  int tx = t % 16, ty = t / 16;
  int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  float sum[4][4] = {};
  for (int k0 = 0; k0 < n; k0 += 16) {
    for (int i = t; i < 64 * 16; i += 256) {
      ta[i % 16][i / 16] = a[(row0 + i / 16) * n + k0 + i % 16];
      tb[i / 64][i % 64] = b[(k0 + i / 64) * n + col0 + i % 64];
    }
    __syncthreads();
    for (int k = 0; k < 16; k++) {
      float x[4], y[4];
      for (int i = 0; i < 4; i++) {
        x[i] = ta[k][ty * 4 + i];
        y[i] = tb[k][tx * 4 + i];
      }
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[(row0 + ty * 4 + i) * n + col0 + tx * 4 + j] = sum[i][j];
}

extern "C" __global__ void matmulHalf(const __half* a, const __half* b, float* c, int n) {
  __shared__ __half ta[16][16];
  __shared__ __half tb[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[ty][tx] = a[row * n + t + tx];
    tb[ty][tx] = b[(t + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += __half2float(ta[ty][k]) * __half2float(tb[k][tx]);
    __syncthreads();
  }
  c[row * n + col] = sum;
}

// One warp for each row.
extern "C" __global__ void gemvRows(const float* a, const float* x, float* y, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int k = lane; k < cols; k += 32) sum += a[(size_t)row * cols + k] * x[k];
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) y[row] = sum;
}

// One thread for each column.
extern "C" __global__ void gemvColumns(const float* a, const float* x, float* y, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  float sum = 0;
  for (int k = 0; k < rows; k++) sum += a[k * cols + col] * x[k];
  y[col] = sum;
}

extern "C" __global__ void transposeNaive(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

extern "C" __global__ void transposeTiled(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// One step of the elimination: all below and right of the pivot.
extern "C" __global__ void luStep(const float* a, float* out, int n, int pivot) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  float value = a[row * n + col];
  if (row > pivot && col >= pivot) {
    float factor = a[row * n + pivot] / a[pivot * n + pivot];
    value = col == pivot ? factor : value - factor * a[pivot * n + col];
  }
  out[row * n + col] = value;
}

extern "C" __global__ void floydWarshallStep(const int* in, int* out, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  out[i * n + j] = min(in[i * n + j], in[i * n + k] + in[k * n + j]);
}

// Complex numbers as pairs, a product of small matrices for each thread.
extern "C" __global__ void complexMatrices(const float2* a, const float2* b, float2* c, int count) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= count) return;
  float2 x[9], y[9];
  for (int i = 0; i < 9; i++) {
    x[i] = a[i * count + m];
    y[i] = b[i * count + m];
  }
  for (int row = 0; row < 3; row++)
    for (int col = 0; col < 3; col++) {
      float2 sum = make_float2(0, 0);
      for (int k = 0; k < 3; k++) {
        float2 p = x[row * 3 + k], q = y[k * 3 + col];
        sum.x += p.x * q.x - p.y * q.y;
        sum.y += p.x * q.y + p.y * q.x;
      }
      c[(row * 3 + col) * count + m] = sum;
    }
}
