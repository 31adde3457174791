// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that spend their time in functions of the mathematical library.

extern "C" __global__ void powers(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = powf(x[i], y[i]) + powf(y[i] + 3.0f, 1.5f);
}

extern "C" __global__ void logSumExp(const float* x, float* out, int terms, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < terms; k++) sum += expf(x[k * n + i]);
  out[i] = logf(sum);
}

extern "C" __global__ void errorFunctions(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  out[i] = erff(v) + erfcf(0.5f * v) * lgammaf(v + 4.0f);
}

extern "C" __global__ void waves(const float* phase, float* out, int harmonics, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float p = phase[i];
  float sum = 0;
  for (int k = 1; k <= harmonics; k++) {
    float s, c;
    sincosf(k * p, &s, &c);
    sum += s / k + 0.5f * c;
  }
  out[i] = sum;
}

extern "C" __global__ void polarAngles(const float2* in, float2* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 v = in[i];
  out[i] = make_float2(hypotf(v.x, v.y), atan2f(v.y, v.x));
}

extern "C" __global__ void doubleFunctions(const double* x, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  out[i] = exp(-v) * log(v + 1.0) + sin(v) / sqrt(v + 2.0) + pow(v, 0.3);
}

extern "C" __global__ void polynomialDouble(const double* x, double* out, int degree, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  double sum = 0;
  for (int k = degree; k >= 0; k--) sum = sum * v + 1.0 / (k + 1);
  out[i] = sum;
}

extern "C" __global__ void normalizeVectors(const float4* in, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = in[i];
  float inv = 1.0f / sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
  out[i] = make_float4(v.x * inv, v.y * inv, v.z * inv, v.w);
}
