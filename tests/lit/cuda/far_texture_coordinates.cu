// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coordinates far outside of a texture: beyond what an int holds the nearest texel is read, and normalised ones wrap by
// their fraction, which a product with the width would round away (the CUDA C++ Programming Guide, "Texture Fetching").
// RUN: %lathe run %s -t cpu -k clamped --grid 1 --group 1 --arg zeros:f32[18] --print 0:18 | FileCheck %s
// RUN: %lathe run %s -t cpu -k wrapped --grid 1 --group 1 --arg zeros:f32[10] --print 0:10 | FileCheck %s --check-prefix=W
// RUN: %lathe run %s -t cpu -k all --grid 1 --group 1 --arg zeros:u32[1] --print 0:1 | FileCheck %s --check-prefix=ALL
// CHECK: 3 3 1 4 4 1 4 4 1 4 4 1 4 4 1 4 4 1
// W: 1 4 1 1 2.5 2.5 1 4 2 4
// ALL: u32[1]: 0
#include <cuda_runtime.h>
#include <lathe/device/texture.h>

__device__ float texels[640];

__device__ lathe::Texture imageOf(unsigned width) {
  for (unsigned i = 0; i < width; ++i) texels[i] = 1.0f + i;
  lathe::Texture out;
  out.data = texels, out.width = width, out.pitch = 4 * width;
  return out;
}
__device__ float read(const lathe::Texture& texture, float x) {
  return tex1D<float>(reinterpret_cast<cudaTextureObject_t>(&texture), x);
}

__global__ void clamped(float* out) {
  lathe::Texture point = imageOf(4), linear = point;
  point.address[0] = linear.address[0] = lathe::TextureAddress::clamp;
  linear.linear = true;
  int n = 0;
  for (float x : {2.5f, 100.0f, 2147483000.0f, 3e9f, 1e30f, __int_as_float(0x7f800000)}) {
    out[n++] = read(point, x);
    out[n++] = read(linear, x);
    out[n++] = read(point, -x);
  }
}
__global__ void wrapped(float* out) {
  lathe::Texture point = imageOf(4), linear, mirrored;
  point.normalized = true;
  point.address[0] = lathe::TextureAddress::wrap;
  linear = mirrored = point;
  linear.linear = true;
  mirrored.address[0] = lathe::TextureAddress::mirror;
  int n = 0;
  for (float x : {1073741824.0f, -1.25f, 2147483648.0f, -4294967296.0f}) out[n++] = read(point, x);
  for (float x : {4294967296.0f, 0.0f}) out[n++] = read(linear, x);
  for (float x : {4294967296.0f, 1.125f, 1000001.625f, 8388607.0f}) out[n++] = read(mirrored, x);
}
__global__ void all(unsigned* wrong) {
  lathe::Texture image = imageOf(640);
  image.normalized = true;
  image.address[0] = lathe::TextureAddress::wrap;
  for (int i = 1; i < 20000; ++i) {
    const float x = 900.0f + i * 0.005f;
    const double fraction = x - floor(static_cast<double>(x));
    wrong[0] += read(image, x) != 1.0f + static_cast<int>(fraction * 640);
  }
}
