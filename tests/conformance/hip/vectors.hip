// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators of HIP's vectors, item by item and with one number for all, and a program's own, which go first.
#include <hip/hip_runtime.h>

__global__ void floats(const float4* a, const float4* b, float4* out) {
  const unsigned i = threadIdx.x;
  float4 sum = a[i] + b[i] * 2.0f;
  sum -= float4(0.5f);
  sum /= float4(1, 2, 4, 8);
  out[2 * i] = -sum;
  float4 counted = 1.0f - a[i];
  counted++;
  out[2 * i + 1] = counted;
}

__global__ void integers(const uint3* a, const uint3* b, uint3* out, int* same) {
  const unsigned i = threadIdx.x;
  out[2 * i] = (a[i] & b[i]) | (a[i] ^ 0x55u) << 1;
  out[2 * i + 1] = ~(a[i] % uint3(7, 9, 11)) >> 3;
  same[i] = (a[i] == b[i]) + 2 * (a[i] != b[i]) + 4 * (a[i] == a[i]);
}

__device__ double2 operator*(double2 a, double2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__global__ void own(const double2* a, double2* out) {
  out[threadIdx.x] = a[threadIdx.x] * a[threadIdx.x] + make_double2(1, 1);
}
