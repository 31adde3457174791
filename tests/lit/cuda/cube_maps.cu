// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cube maps and gathers: one instruction each on NVIDIA's GPUs, elsewhere computed by the tables of the CUDA C++
// Programming Guide ("Cubemap Textures", "Texture Gather"). Texel n of face f has the value 4 f + n; the directions come
// to texel 1, right in the upper row.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg
// RUN: %compile %s -t spirv -o %t.limg
// RUN: %lathe run %s -t cpu -k cubes --grid 1 --group 1 --arg iota:f32[48] --arg zeros:f32[13] --print 1:13 | FileCheck %s --check-prefix=CUBES
// RUN: %lathe run %s -t cpu -k gathers --grid 1 --group 1 --arg 'json:[1.0,2.0,3.0,4.0,5.0,6.0]' --arg zeros:f32[8] --print 1:8 | FileCheck %s --check-prefix=GATHERS
// RUN: %lathe run %s -t cpu -k faces --grid 1 --group 1 --arg iota:f32[48] --arg zeros:f32[2] --print 0:48 --print 1:2 | FileCheck %s --check-prefix=FACES
// CHECK-DAG: tex.cube.v4.f32.f32
// CHECK-DAG: tex.acube.v4.f32.f32
// CHECK-DAG: tex.level.cube.v4.f32.f32
// CHECK-DAG: tex.level.acube.v4.f32.f32
// CHECK-DAG: tex.grad.cube.v4.f32.f32
// CHECK-DAG: tex.grad.acube.v4.f32.f32
// CHECK-DAG: tld4.r.2d.v4.f32.f32
// CHECK-DAG: tld4.a.2d.v4.s32.f32
// CHECK-DAG: suld.b.a2d.b32.trap
// CHECK-DAG: sust.b.a2d.b32.trap
// CUBES: 1 5 9 13 17 21 25 33 2 30 6 34 2.5
// GATHERS: 3 4 2 1 5 6 4 3
// FACES: 0 1 2 3 4 5 6 7 8 9 10 60
// FACES: 10 27
#include <cuda_runtime.h>
#include <lathe/device/texture.h>

__device__ lathe::Texture twoCubes(float* texels) {
  lathe::Texture image;
  image.data = texels;
  image.width = 2;
  image.height = 2;
  image.depth = 12;
  image.pitch = 2 * sizeof(float);
  image.normalized = true;
  return image;
}

__global__ void cubes(float* texels, float* out) {
  lathe::Texture image = twoCubes(texels);
  const auto object = reinterpret_cast<cudaTextureObject_t>(&image);
  const float4 step = make_float4(0, 0, 0, 0);
  out[0] = texCubemap<float>(object, 1, 0.5f, -0.5f);
  out[1] = texCubemap<float>(object, -1, 0.5f, 0.5f);
  out[2] = texCubemap<float>(object, 0.5f, 1, -0.5f);
  out[3] = texCubemap<float>(object, 0.5f, -1, 0.5f);
  out[4] = texCubemap<float>(object, 0.5f, 0.5f, 1);
  out[5] = texCubemap<float>(object, -0.5f, 0.5f, -1);
  // The other cube, whose faces follow; directions need no length of 1.
  out[6] = texCubemapLayered<float>(object, 4, 2, -2, 1);
  out[7] = texCubemapLayeredLod<float>(object, 1, 2, -1, 1, 3.0f);
  // The opposite corner: left in the lower row.
  out[8] = texCubemapLod<float>(object, 1, -0.5f, 0.5f, 2.0f);
  texCubemapLayered(&out[9], object, -1, -0.5f, -0.5f, 1);
  out[10] = texCubemapGrad<float>(object, -1, -0.5f, -0.5f, step, step);
  out[11] = texCubemapLayeredGrad<float>(object, -0.5f, 1, 0.5f, 1, step, step);
  image.linear = true;
  out[12] = texCubemap<float>(object, 1, -0.5f, 0) + 0 * out[11];
}

__global__ void gathers(float* pixels, float* out) {
  lathe::Texture image;
  image.data = pixels;
  image.width = 2;
  image.height = 3;
  image.pitch = 2 * sizeof(float);
  const auto object = reinterpret_cast<cudaTextureObject_t>(&image);
  const float4 upper = tex2Dgather<float4>(object, 1, 1);
  float4 lower;
  tex2Dgather(&lower, object, 1, 2, 0);
  const float all[] = {upper.x, upper.y, upper.z, upper.w, lower.x, lower.y, lower.z, lower.w};
  for (int i = 0; i < 8; ++i) out[i] = all[i];
}

__global__ void others(int4* out, cudaTextureObject_t object) { out[0] = tex2Dgather<int4>(object, 0.5f, 0.5f, 3); }

__global__ void faces(float* texels, float* out) {
  lathe::Texture image = twoCubes(texels);
  const auto object = reinterpret_cast<cudaSurfaceObject_t>(&image);
  out[0] = surfCubemapread<float>(object, 0, 1, 2);
  out[1] = surfCubemapLayeredread<float>(object, 4, 1, 6);
  surfCubemapwrite(60.0f, object, 4, 1, 2);
  surfCubemapLayeredwrite(70.0f, object, 0, 0, 11, cudaBoundaryModeClamp);
}
