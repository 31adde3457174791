// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fourier, cosine, wavelet and Walsh-Hadamard transforms.

#define PI 3.14159265358979f

// A stage of Stockham's transform: n complex numbers, pairs that are n/2 apart.
extern "C" __global__ void fftStageTwo(const float2* in, float2* out, int n, int span) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  int k = i % span;
  float angle = -PI * k / span;
  float2 w;
  sincosf(angle, &w.y, &w.x);
  float2 a = in[i], b = in[i + n / 2];
  float2 t = make_float2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
  int to = (i / span) * 2 * span + k;
  out[to] = make_float2(a.x + t.x, a.y + t.y);
  out[to + span] = make_float2(a.x - t.x, a.y - t.y);
}

__device__ float2 multiply(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ float2 add(float2 a, float2 b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
__device__ float2 subtract(float2 a, float2 b) {
  return make_float2(a.x - b.x, a.y - b.y);
}

extern "C" __global__ void fftStageFour(const float2* in, float2* out, int n, int span) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int quarter = n / 4;
  if (i >= quarter) return;
  int k = i % span;
  float angle = -0.5f * PI * k / span;
  float2 w1, w2, w3;
  __sincosf(angle, &w1.y, &w1.x);
  w2 = multiply(w1, w1);
  w3 = multiply(w2, w1);
  float2 a = in[i];
  float2 b = multiply(in[i + quarter], w1);
  float2 c = multiply(in[i + 2 * quarter], w2);
  float2 d = multiply(in[i + 3 * quarter], w3);
  float2 s = add(a, c), t = subtract(a, c), u = add(b, d), v = subtract(b, d);
  float2 turned = make_float2(v.y, -v.x);
  int to = (i / span) * 4 * span + k;
  out[to] = add(s, u);
  out[to + span] = add(t, turned);
  out[to + 2 * span] = subtract(s, u);
  out[to + 3 * span] = subtract(t, turned);
}

// Whole transforms of 512 numbers, one block each.
extern "C" __global__ void fftShared(const float2* in, float2* out) {
  __shared__ float2 data[2][512];
  int t = threadIdx.x;
  data[0][t] = in[blockIdx.x * 512 + t];
  data[0][t + 256] = in[blockIdx.x * 512 + t + 256];
  int from = 0;
  for (int span = 1; span < 512; span *= 2) {
    __syncthreads();
    int k = t & (span - 1);
    float s, c;
    sincospif(-(float)k / span, &s, &c);
    float2 a = data[from][t], b = multiply(data[from][t + 256], make_float2(c, s));
    int to = (t - k) * 2 + k;
    data[1 - from][to] = add(a, b);
    data[1 - from][to + span] = subtract(a, b);
    from = 1 - from;
  }
  __syncthreads();
  out[blockIdx.x * 512 + t] = data[from][t];
  out[blockIdx.x * 512 + t + 256] = data[from][t + 256];
}

extern "C" __global__ void haarStep(const float2* in, float* low, float* high, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 pair = in[i];
  low[i] = (pair.x + pair.y) * 0.70710678f;
  high[i] = (pair.x - pair.y) * 0.70710678f;
}

// Blocks of eight by eight pixels; basis[k][x] = c(k) cos((2x + 1) k π / 16).
extern "C" __global__ void cosineEight(const float* image, const float* basis, float* out, int width) {
  __shared__ float pixels[8][8];
  __shared__ float rows[8][9];
  int x = threadIdx.x, y = threadIdx.y;
  int at = (blockIdx.y * 8 + y) * width + blockIdx.x * 8 + x;
  pixels[y][x] = image[at];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; k++) sum += pixels[y][k] * basis[x * 8 + k];
  rows[y][x] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; k++) sum += rows[k][x] * basis[y * 8 + k];
  out[at] = sum;
}

extern "C" __global__ void walshShared(const int* in, int* out) {
  __shared__ int data[1024];
  int t = threadIdx.x;
  for (int k = t; k < 1024; k += 256) data[k] = in[blockIdx.x * 1024 + k];
  for (int span = 1; span < 1024; span *= 2) {
    __syncthreads();
    for (int p = t; p < 512; p += 256) {
      int i = 2 * p - (p & (span - 1));
      int a = data[i], b = data[i + span];
      data[i] = a + b;
      data[i + span] = a - b;
    }
  }
  __syncthreads();
  for (int k = t; k < 1024; k += 256) out[blockIdx.x * 1024 + k] = data[k];
}
