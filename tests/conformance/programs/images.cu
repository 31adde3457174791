// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Image filters: gradients, a median, an edge-preserving blur, resampling, equalisation.
#include <cuda_runtime.h>

__global__ void sobel(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[y * width + x] = 0;
    return;
  }
  int gx = 0, gy = 0;
#pragma unroll
  for (int j = -1; j <= 1; ++j)
#pragma unroll
    for (int i = -1; i <= 1; ++i) {
      const int pixel = in[(y + j) * width + x + i];
      gx += i * (2 - abs(j)) * pixel;
      gy += j * (2 - abs(i)) * pixel;
    }
  out[y * width + x] = static_cast<unsigned char>(min(255, static_cast<int>(sqrtf(static_cast<float>(gx * gx + gy * gy)))));
}

__device__ __forceinline__ void order(unsigned char& a, unsigned char& b) {
  const unsigned char low = min(a, b);
  b = max(a, b);
  a = low;
}
__global__ void median(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char w[9];
  for (int i = 0; i < 9; ++i)
    w[i] = in[min(max(y + i / 3 - 1, 0), height - 1) * width + min(max(x + i % 3 - 1, 0), width - 1)];
  for (int i = 0; i < 5; ++i)
    for (int j = i + 1; j < 9; ++j) order(w[i], w[j]);
  out[y * width + x] = w[4];
}

__global__ void bilateral(const float* in, float* out, int width, int height, float space, float range) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float centre = in[y * width + x];
  float sum = 0, total = 0;
  for (int j = max(y - 2, 0); j <= min(y + 2, height - 1); ++j)
    for (int i = max(x - 2, 0); i <= min(x + 2, width - 1); ++i) {
      const float difference = in[j * width + i] - centre;
      const float weight = expf(-((i - x) * (i - x) + (j - y) * (j - y)) * space - difference * difference * range);
      sum += weight * in[j * width + i];
      total += weight;
    }
  out[y * width + x] = sum / total;
}

// Half the size, with vectors of bytes.
__global__ void shrink(const uchar4* in, uchar4* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width / 2 || y >= height / 2) return;
  const uchar4 a = in[2 * y * width + 2 * x], b = in[2 * y * width + 2 * x + 1], c = in[(2 * y + 1) * width + 2 * x],
               d = in[(2 * y + 1) * width + 2 * x + 1];
  out[y * (width / 2) + x] = make_uchar4((a.x + b.x + c.x + d.x + 2) / 4, (a.y + b.y + c.y + d.y + 2) / 4,
                                         (a.z + b.z + c.z + d.z + 2) / 4, (a.w + b.w + c.w + d.w + 2) / 4);
}

// One block: histogram, its sum, and the table applied.
__global__ void equalise(unsigned char* image, int n) {
  __shared__ int bins[256], sums[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 256) atomicAdd(&bins[image[i]], 1);
  __syncthreads();
  sums[threadIdx.x] = bins[threadIdx.x];
  for (int d = 1; d < 256; d *= 2) {
    __syncthreads();
    const int add = threadIdx.x >= d ? sums[threadIdx.x - d] : 0;
    __syncthreads();
    sums[threadIdx.x] += add;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 256) image[i] = static_cast<unsigned char>(sums[image[i]] * 255LL / n);
}
