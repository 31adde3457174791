// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector types: layout, loads as one access, conversions of the builtin variables.
static_assert(sizeof(float4) == 16 && alignof(float4) == 16 && sizeof(double2) == 16 && alignof(double2) == 16);
static_assert(sizeof(float3) == 12 && alignof(float3) == 4 && sizeof(double4) == 32 && alignof(double4) == 16);
static_assert(alignof(char2) == 2 && alignof(uchar4) == 4 && alignof(short4) == 8 && alignof(int2) == 8 &&
              alignof(longlong2) == 16);

__device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void addVectors(const float4* a, const float4* b, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + __ldg(b + i);
}

__global__ void unpack(const uchar4* pixels, float3* colours, double2 scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uchar4 p = pixels[i];
  colours[i] = make_float3(p.x * scale.x + scale.y, p.y * scale.x + scale.y, p.z * scale.x + scale.y);
}

__device__ unsigned linear(uint3 at, dim3 extent) {
  return (at.z * extent.y + at.y) * extent.x + at.x;
}

__global__ void positions(unsigned* out) {
  const dim3 block = blockDim;
  const dim3 first(threadIdx);
  const unsigned group = linear(blockIdx, gridDim);
  out[group * block.x * block.y * block.z + linear(threadIdx, block)] =
      first.x | first.y << 8 | first.z << 16 | group << 24;
}
