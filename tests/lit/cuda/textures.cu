// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects: instructions of one vendor, refused by the others with the line of the kernel's use.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: not %compile %s -t cpu -o %t.limg 2>&1 | FileCheck %s --check-prefix=CPU
// CHECK-DAG: tex.2d.v4.f32.f32
// CHECK-DAG: tex.1d.v4.s32.s32
// CHECK-DAG: sust.b.2d.b32.trap
// CHECK-DAG: suld.b.2d.b32.trap
// CPU: textures.cu:{{[0-9]+}}
#include <cuda_runtime.h>
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
