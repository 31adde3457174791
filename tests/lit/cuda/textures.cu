// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects: instructions of one vendor there, arithmetic on a lathe::Texture elsewhere.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg 
// RUN: %lathe run %s -t cpu -k filters --grid 1 --group 1 --arg 'json:[1.0,2.0,3.0,4.0,5.0,6.0]' --arg 'zeros:f32[8]' --print 1:8 | FileCheck %s --check-prefix=VALUES
// RUN: %lathe run %s -t cpu -k bytes --grid 1 --group 1 --arg 'zeros:f32[5]' --print 0:5 | FileCheck %s --check-prefix=BYTES
// CHECK-DAG: tex.2d.v4.f32.f32
// CHECK-DAG: tex.1d.v4.s32.s32
// CHECK-DAG: sust.b.2d.b32.trap
// CHECK-DAG: suld.b.2d.b32.trap
// CHECK-DAG: suld.b.2d.b16.clamp
// CHECK-DAG: suld.b.a1d.v4.b32.zero
// CHECK-DAG: sust.b.1d.b8.zero
// CHECK-DAG: sust.b.3d.b64.clamp
// VALUES: 2 6 3.5 1 3 3 3 0
// BYTES: 1 -1 0.5 7 9
#include <cuda_runtime.h>
#include <lathe/device/texture.h>
#include <stdio.h>

__global__ void rotate(float* out, cudaTextureObject_t image, int width, int height, float angle) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
  out[y * width + x] = tex2D<float>(image, u * cosf(angle) - v * sinf(angle) + 0.5f, v * cosf(angle) + u * sinf(angle) + 0.5f);
}

__global__ void gather(int2* out, cudaTextureObject_t table, const int* indices) {
  out[threadIdx.x] = tex1Dfetch<int2>(table, indices[threadIdx.x]);
}

__global__ void invert(cudaSurfaceObject_t image, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  uchar4 pixel;
  surf2Dread(&pixel, image, x * 4, y);
  pixel.x = 255 - pixel.x;
  if (x < width) surf2Dwrite(pixel, image, x * 4, y);
}

// What an access outside does is a part of the instruction.
__global__ void outside(cudaSurfaceObject_t image, int x) {
  const short value = surf2Dread<short>(image, x, 3, cudaBoundaryModeClamp);
  const float4 row = surf1DLayeredread<float4>(image, x, 1, cudaBoundaryModeZero);
  surf1Dwrite(static_cast<char>(value), image, x, cudaBoundaryModeZero);
  surf3Dwrite(static_cast<double>(row.w), image, x, 1, 2, cudaBoundaryModeClamp);
}

__global__ void cubes(float* out, cudaTextureObject_t image) {
  out[0] = texCubemap<float>(image, 0.5f, 0.5f, 1.0f);
}

// What follows makes its textures itself, which only targets without the hardware allow.
__global__ void filters(float* pixels, float* out) {
  lathe::Texture image;
  image.data = pixels;
  image.width = 3;
  image.height = 2;
  image.pitch = 3 * sizeof(float);
  const auto object = reinterpret_cast<cudaTextureObject_t>(&image);
  out[0] = tex2D<float>(object, 1.9f, 0.0f);    // the texel (1, 0)
  out[1] = tex2D<float>(object, 100.0f, 9.0f);  // clamped
  image.linear = true;
  out[2] = tex2D<float>(object, 1.5f, 1.0f);  // between the rows: 2 and 5
  image.linear = false;
  image.normalized = true;
  image.address[0] = lathe::TextureAddress::wrap;
  out[3] = tex2D<float>(object, 1.1f, 0.0f);
  image.address[0] = lathe::TextureAddress::mirror;
  out[4] = tex2D<float>(object, 1.1f, 0.0f);  // the last again
  image.address[0] = lathe::TextureAddress::border;
  image.border[0] = 3;
  out[5] = tex2D<float>(object, -0.1f, 0.0f);
  image.normalized = false;
  out[6] = tex1Dfetch<float>(object, 2);
  out[7] = tex1Dfetch<float>(object, 3);
}

__global__ void bytes(float* out) {
  signed char texels[] = {127, -128, 64, 0};
  lathe::Texture image;
  image.data = texels;
  image.width = 4;
  image.pitch = 4;
  image.kind = lathe::TexelKind::signedInteger;
  image.bits = 8;
  const auto object = reinterpret_cast<cudaTextureObject_t>(&image);
  out[0] = tex1Dfetch<float>(object, 0);
  out[1] = tex1Dfetch<float>(object, 1);
  out[2] = static_cast<int>(tex1Dfetch<float>(object, 2) * 100) / 100.0f;
  surf1Dwrite<signed char>(7, object, 3);
  out[3] = surf1Dread<signed char>(object, 3);
  surf1Dwrite<signed char>(8, object, 4, cudaBoundaryModeZero);
  out[4] = surf1Dread<signed char>(object, 4, cudaBoundaryModeZero) + 9;
}

int main() {
  cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &channel, 512, 512);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture = {};
  texture.addressMode[0] = cudaAddressModeWrap;
  texture.filterMode = cudaFilterModeLinear;
  texture.normalizedCoords = 1;
  cudaTextureObject_t object;
  cudaCreateTextureObject(&object, &resource, &texture, NULL);
  rotate<<<dim3(32, 32), dim3(16, 16)>>>(NULL, object, 512, 512, 0.5f);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
