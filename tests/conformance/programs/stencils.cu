// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils: a tile with a halo in shared memory, a column kept in registers while it moves through the layers, a filter
// from constant memory, a wave equation in two time steps.
#include <cuda_runtime.h>
#include <iostream>
#include <vector>

#define TILE 16

__global__ void jacobi(const float* in, float* out, int width, int height) {
  __shared__ float tile[TILE + 2][TILE + 2];
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  auto at = [&](int i, int j) { return i < 0 || j < 0 || i >= width || j >= height ? 0.0f : in[j * width + i]; };
  tile[ty][tx] = at(x, y);
  if (threadIdx.x == 0) tile[ty][0] = at(x - 1, y);
  if (threadIdx.x == TILE - 1) tile[ty][TILE + 1] = at(x + 1, y);
  if (threadIdx.y == 0) tile[0][tx] = at(x, y - 1);
  if (threadIdx.y == TILE - 1) tile[TILE + 1][tx] = at(x, y + 1);
  __syncthreads();
  if (x < width && y < height)
    out[y * width + x] = 0.25f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

__global__ void heat3d(const double* __restrict__ in, double* __restrict__ out, int nx, int ny, int nz, double k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  const int layer = nx * ny;
  int i = y * nx + x;
  double below = in[i], here = in[i + layer];
  for (int z = 1; z < nz - 1; ++z) {
    i += layer;
    const double above = in[i + layer];
    out[i] = here + k * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above - 6.0 * here);
    below = here;
    here = above;
  }
}

#define RADIUS 3
__constant__ float weights[2 * RADIUS + 1] = {1, 6, 15, 20, 15, 6, 1};

template <bool Rows>
__global__ void separable(const float* in, float* out, int width, int height) {
  extern __shared__ float line[];
  const int along = Rows ? width : height, across = Rows ? blockIdx.y : blockIdx.x;
  const int first = (Rows ? blockIdx.x : blockIdx.y) * blockDim.x;
  auto index = [=](int i) { return Rows ? across * width + i : i * width + across; };
  for (int i = threadIdx.x; i < blockDim.x + 2 * RADIUS; i += blockDim.x) {
    const int from = min(max(first + i - RADIUS, 0), along - 1);
    line[i] = in[index(from)];
  }
  __syncthreads();
  const int i = first + threadIdx.x;
  if (i >= along) return;
  float sum = 0;
#pragma unroll
  for (int j = 0; j <= 2 * RADIUS; ++j) sum += weights[j] * line[threadIdx.x + j];
  out[index(i)] = sum / 64;
}

// Two steps of a 1-D wave in one launch: the block computes what its neighbours would, one cell further each step.
__global__ void wave(const int* before, const int* now, int* after, int n) {
  __shared__ int u0[132], u1[132], u2[132];
  const int base = blockIdx.x * 128 - 2;
  for (int i = threadIdx.x; i < 132; i += blockDim.x) {
    const int from = (base + i + n) % n;
    u0[i] = before[from];
    u1[i] = now[from];
  }
  __syncthreads();
  for (int i = threadIdx.x + 1; i < 131; i += blockDim.x) u2[i] = u1[i - 1] + u1[i + 1] - u0[i];
  __syncthreads();
  const int i = threadIdx.x + 2;
  after[base + i] = u2[i - 1] + u2[i + 1] - u1[i];
}

int main() {
  std::vector<float> image(64 * 48, 1.0f);
  float *in, *out;
  cudaMalloc(&in, image.size() * sizeof(float));
  cudaMalloc(&out, image.size() * sizeof(float));
  cudaMemcpy(in, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice);
  jacobi<<<dim3(4, 3), dim3(TILE, TILE)>>>(in, out, 64, 48);
  separable<true><<<dim3(1, 48), 64, (64 + 2 * RADIUS) * sizeof(float)>>>(in, out, 64, 48);
  separable<false><<<dim3(64, 1), 64, (64 + 2 * RADIUS) * sizeof(float)>>>(out, in, 64, 48);
  cudaMemcpy(image.data(), in, image.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::cout << image[0] << std::endl;
  return cudaFree(in) || cudaFree(out);
}
