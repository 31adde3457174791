// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neural networks, forward and backward: row reductions by warps and blocks, attention for one head, a convolution, half
// precision, an optimiser's step.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <float.h>

namespace cg = cooperative_groups;

__global__ void softmax(const float* in, float* out, int rows, int columns) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  const float* x = in + row * columns;
  float most = -FLT_MAX, sum = 0;
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) most = fmaxf(most, x[i]);
  most = cg::reduce(warp, most, cg::greater<float>());
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) sum += expf(x[i] - most);
  sum = cg::reduce(warp, sum, cg::plus<float>());
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) out[row * columns + i] = expf(x[i] - most) / sum;
}

__inline__ __device__ float warpSum(float value) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) value += __shfl_xor_sync(0xffffffff, value, mask);
  return value;
}
__inline__ __device__ float blockSum(float value) {
  static __shared__ float partial[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  value = warpSum(value);
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  value = warpSum(lane < blockDim.x / 32 ? partial[lane] : 0.0f);
  __syncthreads();
  return value;
}

__global__ void layerNorm(const float* in, const float* gain, const float* bias, float* out, float* means, float* inverses, int width) {
  const float* const x = in + blockIdx.x * width;
  float sum = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x) sum += x[i];
  const float mean = blockSum(sum) / width;
  sum = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x) sum += (x[i] - mean) * (x[i] - mean);
  const float inverse = rsqrtf(blockSum(sum) / width + 1e-5f);
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    out[blockIdx.x * width + i] = (x[i] - mean) * inverse * gain[i] + bias[i];
  if (threadIdx.x == 0) {
    means[blockIdx.x] = mean;
    inverses[blockIdx.x] = inverse;
  }
}

__global__ void layerNormBackward(const float* in, const float* gain, const float* means, const float* inverses,
                                  const float* outGradient, float* inGradient, float* gainGradient, int width) {
  const int row = blockIdx.x;
  float sum = 0, weighted = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    const float normal = (in[row * width + i] - means[row]) * inverses[row], g = outGradient[row * width + i];
    sum += g * gain[i];
    weighted += g * gain[i] * normal;
    atomicAdd(&gainGradient[i], g * normal);
  }
  sum = blockSum(sum) / width;
  weighted = blockSum(weighted) / width;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    const float normal = (in[row * width + i] - means[row]) * inverses[row];
    inGradient[row * width + i] = (outGradient[row * width + i] * gain[i] - sum - normal * weighted) * inverses[row];
  }
}

// Causal, one block a query, the scores in dynamic shared memory.
__global__ void attention(const float* q, const float* k, const float* v, float* out, int width) {
  extern __shared__ float scores[];
  const int query = blockIdx.x;
  for (int key = threadIdx.x; key <= query; key += blockDim.x) {
    float dot = 0;
    for (int i = 0; i < width; ++i) dot += q[query * width + i] * k[key * width + i];
    scores[key] = __expf(dot * rsqrtf(static_cast<float>(width)));
  }
  __syncthreads();
  float sum = 0;
  for (int key = threadIdx.x; key <= query; key += blockDim.x) sum += scores[key];
  sum = blockSum(sum);
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    float value = 0;
    for (int key = 0; key <= query; ++key) value += scores[key] * v[key * width + i];
    out[query * width + i] = value / sum;
  }
}

template <int Channels, int Kernel>
__global__ void convolution(const float* __restrict__ in, const float* __restrict__ weights, float* __restrict__ out, int size) {
  __shared__ float w[Channels * Kernel * Kernel];
  const int filter = blockIdx.z, after = size - Kernel + 1;
  for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < Channels * Kernel * Kernel; i += blockDim.x * blockDim.y)
    w[i] = weights[filter * Channels * Kernel * Kernel + i];
  __syncthreads();
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= after || y >= after) return;
  float sum = 0;
#pragma unroll
  for (int c = 0; c < Channels; ++c)
    for (int j = 0; j < Kernel; ++j)
      for (int i = 0; i < Kernel; ++i) sum += w[(c * Kernel + j) * Kernel + i] * in[(c * size + y + j) * size + x + i];
  out[(filter * after + y) * after + x] = fmaxf(sum, 0.0f);
}

__global__ void biasAndRelu(const __half2* in, const __half2* bias, __half2* out, int pairs, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half2 sum = __hadd2(in[i], bias[i % pairs]);
  const __half zero = __float2half(0.0f);
  out[i] = __halves2half2(__hgt(__low2half(sum), zero) ? __low2half(sum) : zero, __hgt(sum.y, zero) ? sum.y : zero);
}

__global__ void adam(float* weights, const float* gradients, float* m, float* v, int n, float rate, float beta1, float beta2, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float g = gradients[i];
  m[i] = fmaf(beta1, m[i] - g, g);
  v[i] = fmaf(beta2, v[i] - g * g, g * g);
  const float mHat = m[i] / (1.0f - powf(beta1, step)), vHat = v[i] / (1.0f - powf(beta2, step));
  weights[i] -= rate * mHat / (sqrtf(vHat) + 1e-8f);
}

// The gradient of cross entropy over softmax, a warp a row.
__global__ void crossEntropy(const float* logits, const int* targets, float* losses, float* gradients, int classes) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  const float* const x = logits + row * classes;
  float most = -INFINITY, sum = 0;
  for (int i = lane; i < classes; i += 32) most = fmaxf(most, x[i]);
  for (int d = 16; d; d /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  for (int i = lane; i < classes; i += 32) sum += expf(x[i] - most);
  sum = warpSum(sum);
  for (int i = lane; i < classes; i += 32)
    gradients[row * classes + i] = expf(x[i] - most) / sum - (i == targets[row] ? 1.0f : 0.0f);
  if (lane == 0) losses[row] = logf(sum) + most - x[targets[row]];
}

int main() {
  softmax<<<2, 64>>>(nullptr, nullptr, 4, 100);
  convolution<3, 5><<<dim3(2, 2, 4), dim3(16, 16)>>>(nullptr, nullptr, nullptr, 30);
}
