// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils in one, two and three dimensions.

#define RADIUS 4

__constant__ float line_weights[RADIUS + 1] = {0.4f, 0.15f, 0.1f, 0.03f, 0.02f};

extern "C" __global__ void stencilLine(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < RADIUS || i >= n - RADIUS) return;
  float sum = line_weights[0] * in[i];
  for (int k = 1; k <= RADIUS; k++) sum += line_weights[k] * (in[i - k] + in[i + k]);
  out[i] = sum;
}

extern "C" __global__ void stencilLineShared(const float* in, float* out, int n) {
  __shared__ float tile[256 + 2 * RADIUS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x + RADIUS;
  tile[t] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < RADIUS) {
    tile[t - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0.0f;
    tile[t + 256] = i + 256 < n ? in[i + 256] : 0.0f;
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++) sum += line_weights[abs(k)] * tile[t + k];
  out[i] = sum;
}

extern "C" __global__ void stencilFive(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int at = y * width + x;
  out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
}

#define TILE 16

extern "C" __global__ void stencilNineShared(const float* in, float* out, int width, int height) {
  __shared__ float tile[TILE + 2][TILE + 2];
  int x0 = blockIdx.x * TILE - 1, y0 = blockIdx.y * TILE - 1;
  for (int i = threadIdx.y * TILE + threadIdx.x; i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
    int tx = i % (TILE + 2), ty = i / (TILE + 2);
    int x = min(max(x0 + tx, 0), width - 1), y = min(max(y0 + ty, 0), height - 1);
    tile[ty][tx] = in[y * width + x];
  }
  __syncthreads();
  int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = 0; dy < 3; dy++)
    for (int dx = 0; dx < 3; dx++) {
      float weight = (dx == 1 && dy == 1) ? 0.25f : (dx == 1 || dy == 1) ? 0.125f : 0.0625f;
      sum += weight * tile[threadIdx.y + dy][threadIdx.x + dx];
    }
  out[y * width + x] = sum;
}

extern "C" __global__ void stencilSeven(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  int at = (z * ny + y) * nx + x;
  int plane = nx * ny;
  out[at] = 0.4f * in[at] +
            0.1f * (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - plane] + in[at + plane]);
}

extern "C" __global__ void stencilColumns(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                                          int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  int plane = nx * ny;
  int at = y * nx + x;
  float below = in[at];
  float here = in[at + plane];
  for (int z = 1; z < nz - 1; z++) {
    at += plane;
    float above = in[at + plane];
    out[at] = 0.4f * here + 0.1f * (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + below + above);
    below = here;
    here = above;
  }
}

extern "C" __global__ void jacobiDouble(const double* u, const double* f, double* out, int n, double h2) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  double left = x > 0 ? u[y * n + x - 1] : 0.0;
  double right = x < n - 1 ? u[y * n + x + 1] : 0.0;
  double up = y > 0 ? u[(y - 1) * n + x] : 0.0;
  double down = y < n - 1 ? u[(y + 1) * n + x] : 0.0;
  out[y * n + x] = 0.25 * (left + right + up + down + h2 * f[y * n + x]);
}

extern "C" __global__ void lifeStep(const unsigned char* in, unsigned char* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      if (dx == 0 && dy == 0) continue;
      int nx = (x + dx + width) % width;
      int ny = (y + dy + height) % height;
      neighbours += in[ny * width + nx];
    }
  out[y * width + x] = neighbours == 3 || (neighbours == 2 && in[y * width + x]);
}
