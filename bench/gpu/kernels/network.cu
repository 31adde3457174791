// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers of neural networks.
#include <cuda_fp16.h>

__device__ float warpMax(float v) {
  for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, o));
  return v;
}

__device__ float warpSum(float v) {
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
  return v;
}

// All threads get the result.
__device__ float blockSum(float v) {
  __shared__ float part[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = warpSum(v);
  __syncthreads();
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = lane < blockDim.x / 32 ? part[lane] : 0.0f;
  return warpSum(v);
}

__device__ float blockMax(float v) {
  __shared__ float part[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = warpMax(v);
  __syncthreads();
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = lane < blockDim.x / 32 ? part[lane] : -INFINITY;
  return warpMax(v);
}

extern "C" __global__ void softmaxRows(const float* in, float* out, int cols) {
  const float* x = in + (size_t)blockIdx.x * cols;
  float* y = out + (size_t)blockIdx.x * cols;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) largest = fmaxf(largest, x[i]);
  largest = blockMax(largest);
  float sum = 0;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) sum += expf(x[i] - largest);
  sum = blockSum(sum);
  for (int i = threadIdx.x; i < cols; i += blockDim.x) y[i] = expf(x[i] - largest) / sum;
}

extern "C" __global__ void layerNorm(const float* in, const float* gamma, const float* beta, float* out, int cols,
                                     float epsilon) {
  const float* x = in + (size_t)blockIdx.x * cols;
  float* y = out + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) sum += x[i];
  float mean = blockSum(sum) / cols;
  float squares = 0;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) {
    float d = x[i] - mean;
    squares += d * d;
  }
  float scale = rsqrtf(blockSum(squares) / cols + epsilon);
  for (int i = threadIdx.x; i < cols; i += blockDim.x) y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
}

extern "C" __global__ void rmsNormHalf(const __half* in, const __half* weight, __half* out, int cols, float epsilon) {
  const __half* x = in + (size_t)blockIdx.x * cols;
  __half* y = out + (size_t)blockIdx.x * cols;
  float squares = 0;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) {
    float v = __half2float(x[i]);
    squares += v * v;
  }
  float scale = rsqrtf(blockSum(squares) / cols + epsilon);
  for (int i = threadIdx.x; i < cols; i += blockDim.x)
    y[i] = __float2half(__half2float(x[i]) * scale * __half2float(weight[i]));
}

#define HEAD 64

// One warp for each query; each lane holds two of its 64 numbers. The softmax is kept up while the keys go by.
extern "C" __global__ void attentionQueries(const float2* q, const float2* k, const float2* v, float2* out,
                                            int length) {
  int lane = threadIdx.x & 31;
  int query = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int head = blockIdx.y;
  int base = head * length * (HEAD / 2);
  float2 mine = q[base + query * (HEAD / 2) + lane];
  float largest = -INFINITY, sum = 0;
  float2 acc = make_float2(0, 0);
  for (int key = 0; key <= query; key++) {
    float2 other = k[base + key * (HEAD / 2) + lane];
    float score = warpSum(mine.x * other.x + mine.y * other.y) * 0.125f;
    float next = fmaxf(largest, score);
    float shrink = expf(largest - next), weight = expf(score - next);
    float2 value = v[base + key * (HEAD / 2) + lane];
    acc.x = acc.x * shrink + weight * value.x;
    acc.y = acc.y * shrink + weight * value.y;
    sum = sum * shrink + weight;
    largest = next;
  }
  out[base + query * (HEAD / 2) + lane] = make_float2(acc.x / sum, acc.y / sum);
}

extern "C" __global__ void geluTanh(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  out[i] = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

extern "C" __global__ void biasReluHalf2(const __half2* in, const __half2* bias, __half2* out, int cols, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = __hmax2(__hadd2(in[i], bias[i % cols]), __float2half2_rn(0.0f));
}

extern "C" __global__ void convolveThree(const float* __restrict__ in, const float* __restrict__ weights,
                                         float* __restrict__ out, int channels, int size) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int to = blockIdx.z;
  if (x >= size || y >= size) return;
  float sum = 0;
  for (int from = 0; from < channels; from++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int sx = x + dx, sy = y + dy;
        if (sx >= 0 && sx < size && sy >= 0 && sy < size)
          sum += in[(from * size + sy) * size + sx] * weights[((to * channels + from) * 3 + dy + 1) * 3 + dx + 1];
      }
  out[(to * size + y) * size + x] = sum;
}

extern "C" __global__ void maxPoolTwo(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width / 2 || y >= height / 2) return;
  float best = -INFINITY;
  for (int dy = 0; dy < 2; dy++)
    for (int dx = 0; dx < 2; dx++) best = fmaxf(best, in[(2 * y + dy) * width + 2 * x + dx]);
  out[y * (width / 2) + x] = best;
}

extern "C" __global__ void rotaryEmbed(const float* in, float* out, int heads, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int pair = i % (HEAD / 2);
  int position = i / (HEAD / 2) / heads;
  float angle = position * powf(10000.0f, -2.0f * pair / HEAD);
  float s, c;
  sincosf(angle, &s, &c);
  int at = i / (HEAD / 2) * HEAD + pair;
  float a = in[at], b = in[at + HEAD / 2];
  out[at] = a * c - b * s;
  out[at + HEAD / 2] = a * s + b * c;
}
