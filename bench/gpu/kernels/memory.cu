// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that move memory: little arithmetic for each byte.

extern "C" __global__ void copyOne(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

extern "C" __global__ void copyTwo(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  if (i < n) out[i] = in[i];
  if (i + blockDim.x < n) out[i + blockDim.x] = in[i + blockDim.x];
}

extern "C" __global__ void copyFour(const float4* in, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

extern "C" __global__ void scaleOne(const float* __restrict__ in, float* __restrict__ out, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}

extern "C" __global__ void triadOne(const float* __restrict__ b, const float* __restrict__ c, float* __restrict__ a,
                                    float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + factor * c[i];
}

extern "C" __global__ void saxpyStride(int n, float a, const float* x, const float* y, float* out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = a * x[i] + y[i];
}

extern "C" __global__ void addDouble(const double* a, const double* b, double* sum, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

extern "C" __global__ void addInt4(const int4* a, const int4* b, int4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int4 p = a[i], q = b[i];
  out[i] = make_int4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w);
}

extern "C" __global__ void brightenUchar4(const uchar4* in, uchar4* out, int gain, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar4 p = in[i];
  p.x = min(255, p.x * gain / 64);
  p.y = min(255, p.y * gain / 64);
  p.z = min(255, p.z * gain / 64);
  out[i] = p;
}

extern "C" __global__ void gatherIndexed(const float* values, const int* index, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = values[index[i]];
}

struct Particle {
  float x, y, z;
  int cell;
};

struct Record {
  Particle position;
  float4 velocity;
};

extern "C" __global__ void moveRecords(const Record* in, Record* out, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Record r = in[i];
  r.position.x += dt * r.velocity.x;
  r.position.y += dt * r.velocity.y;
  r.position.z += dt * r.velocity.z;
  out[i] = r;
}

extern "C" __global__ void splitComponents(const float3* in, float* x, float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float3 v = in[i];
  x[i] = v.x;
  y[i] = v.y;
  z[i] = v.z;
}
