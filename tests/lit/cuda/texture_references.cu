// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture references, which CUDA 12 removed: device variables that hold a texture object. Nothing at their declarations
// says that they are the device's.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %lathe run %s -t cpu -k own --grid 1 --group 1 --arg 'zeros:f32[2]' --print 0:2 | FileCheck %s --check-prefix=VALUES
// QUIET-NOT: remark
// CHECK-DAG: .global .align 8 .b8 heights[
// CHECK-DAG: tex.2d.v4.f32.f32
// CHECK-DAG: tex.1d.v4.u32.s32
// CHECK-DAG: tex.2d.v4.f32.f32
// VALUES: 5 0.2
#include <cuda_runtime.h>
#include <lathe/device/texture.h>

texture<float, 2, cudaReadModeElementType> heights;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colours(0, cudaFilterModeLinear, cudaAddressModeClamp);
static texture<unsigned> table;

__global__ void shade(float4* out, int width) {
  const float x = threadIdx.x + 0.5f, y = blockIdx.x + 0.5f;
  float4 colour = tex2D(colours, x, y);
  colour.w = tex2D(heights, x, y) + tex1Dfetch(table, threadIdx.x);
  out[blockIdx.x * width + threadIdx.x] = colour;
}

__global__ void own(float* out) {
  float row[] = {4, 5};
  unsigned char pixel[] = {0, 51, 0, 255};
  lathe::Texture image, picture;
  image.data = row;
  image.width = 2;
  picture.data = pixel;
  picture.kind = lathe::TexelKind::unsignedInteger;
  picture.bits = 8;
  picture.channels = 4;
  heights.object = reinterpret_cast<cudaTextureObject_t>(&image);
  colours.object = reinterpret_cast<cudaTextureObject_t>(&picture);
  out[0] = tex2D(heights, 1.5f, 0.5f);
  out[1] = tex2D(colours, 0.5f, 0.5f).y;
}

int main() {
  cudaArray_t array = nullptr;
  heights.filterMode = cudaFilterModePoint;
  heights.addressMode[0] = cudaAddressModeWrap;
  cudaBindTextureToArray(heights, array);
  cudaBindTexture(nullptr, table, nullptr, 256);
  shade<<<16, 16>>>(nullptr, 16);
  cudaUnbindTexture(heights);
}
