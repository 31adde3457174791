// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantisation and conversions between number formats.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

// One block for each row: its largest magnitude becomes 127.
extern "C" __global__ void quantizeRows(const float* in, signed char* out, float* scales, int cols) {
  __shared__ float largest[256];
  const float* x = in + (size_t)blockIdx.x * cols;
  float m = 0;
  for (int i = threadIdx.x; i < cols; i += 256) m = fmaxf(m, fabsf(x[i]));
  largest[threadIdx.x] = m;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) largest[threadIdx.x] = fmaxf(largest[threadIdx.x], largest[threadIdx.x + s]);
    __syncthreads();
  }
  float scale = largest[0] / 127.0f;
  float inverse = 1.0f / scale;
  for (int i = threadIdx.x; i < cols; i += 256)
    out[(size_t)blockIdx.x * cols + i] = (signed char)max(-127, min(127, __float2int_rn(x[i] * inverse)));
  if (threadIdx.x == 0) scales[blockIdx.x] = scale;
}

extern "C" __global__ void dequantizeBytes(const char4* in, const float* scales, float4* out, int cols, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  char4 q = in[i];
  float s = scales[i / cols];
  out[i] = make_float4(q.x * s, q.y * s, q.z * s, q.w * s);
}

// Four products of bytes at a time.
extern "C" __global__ void dotBytes(const int* a, const int* b, int* out, int words) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  int sum = 0;
  for (int i = lane; i < words; i += 32) sum = __dp4a(a[row * words + i], b[i], sum);
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(0xffffffff, sum, o);
  if (lane == 0) out[row] = sum;
}

extern "C" __global__ void axpyHalf2(const __half2* x, const __half2* y, __half2* out, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}

extern "C" __global__ void floatToBrain(const float2* in, __nv_bfloat162* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __floats2bfloat162_rn(in[i].x, in[i].y);
}

extern "C" __global__ void swishBrain(const __nv_bfloat16* in, __nv_bfloat16* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = __bfloat162float(in[i]);
  out[i] = __float2bfloat16(x / (1.0f + expf(-x)));
}

extern "C" __global__ void floatToFp8(const float* in, __nv_fp8_e4m3* out, float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __nv_fp8_e4m3(in[i] * scale);
}

extern "C" __global__ void fp8ToFloat(const __nv_fp8_e5m2* in, float* out, float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = float(in[i]) * scale;
}

extern "C" __global__ void unpackNibbles(const unsigned* in, float* out, float scale, int zero, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned packed = in[i];
  for (int k = 0; k < 8; k++) out[i * 8 + k] = (float)((int)((packed >> (4 * k)) & 15) - zero) * scale;
}

extern "C" __global__ void roundDoubles(const double* in, long long* nearest, int* down, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  nearest[i] = __double2ll_rn(in[i]);
  down[i] = __double2int_rd(in[i]);
}
