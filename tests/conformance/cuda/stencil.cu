// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Five-point stencil with coefficients in constant memory, and a scalar shared flag across a barrier.
__constant__ float weights[5] = {0.5f, 0.125f, 0.125f, 0.125f, 0.125f};

__global__ void stencil(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int left = max(x - 1, 0), right = min(x + 1, width - 1);
  const int up = max(y - 1, 0), down = min(y + 1, height - 1);
  out[y * width + x] = weights[0] * __ldg(&in[y * width + x]) + weights[1] * in[y * width + left] +
                       weights[2] * in[y * width + right] + weights[3] * in[up * width + x] +
                       weights[4] * in[down * width + x];
}

__global__ void sharedFlag(const int* in, int* out) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) flag = in[blockIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = flag;
}
