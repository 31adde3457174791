// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures and surfaces of one and three dimensions and with layers: computed where there is no hardware, one instruction
// each where there is. The kernels make their images themselves, which only targets without the hardware allow.
// RUN: %lathe run %s -t cpu -k textures --grid 1 --group 1 --arg 'json:[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0]' --arg 'zeros:f32[8]' --print 1:8 | FileCheck %s --check-prefix=TEXTURES
// RUN: %lathe run %s -t cpu -O0 -k surfaces --grid 1 --group 1 --arg 'zeros:i32[24]' --arg 'zeros:i32[7]' --print 0:24 --print 1:7 | FileCheck %s --check-prefix=SURFACES
// RUN: %lathe run %s -t cpu -k levels --grid 1 --group 1 --arg 'json:[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0]' --arg 'zeros:f32[11]' --print 1:11 | FileCheck %s --check-prefix=LEVELS
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t amdgpu:gfx942 -k textures -k surfaces -k levels -o %t.limg
// RUN: %compile %s -t spirv -k textures -k surfaces -k levels -o %t.limg
// CHECK-DAG: tex.1d.v4.f32.f32
// CHECK-DAG: tex.3d.v4.f32.f32
// CHECK-DAG: tex.a1d.v4.f32.f32
// CHECK-DAG: tex.a2d.v4.f32.f32
// CHECK-DAG: tex.cube.v4.f32.f32
// CHECK-DAG: tex.level.3d.v4.f32.f32
// CHECK-DAG: sust.b.3d.b32.trap
// CHECK-DAG: suld.b.3d.b32.trap
// CHECK-DAG: sust.b.a2d.b32.trap
// CHECK-DAG: suld.b.a2d.b32.trap
// CHECK-DAG: tex.level.1d.v4.f32.f32
// CHECK-DAG: tex.level.a1d.v4.f32.f32
// CHECK-DAG: tex.level.a2d.v4.f32.f32
// CHECK-DAG: tex.grad.1d.v4.f32.f32
// CHECK-DAG: tex.grad.2d.v4.f32.f32
// CHECK-DAG: tex.grad.a1d.v4.f32.f32
// CHECK-DAG: tex.grad.a2d.v4.f32.f32
// CHECK-DAG: tex.grad.3d.v4.f32.f32
// CHECK-DAG: sust.b.a1d.b32.trap
// LEVELS: 2 6 9 7 10 1 5 8 7 10 102
// TEXTURES: 2 2.5 8 4.5 12 6 5 1
// SURFACES: 0 0 0 14 0 11 0 0 0 0 0 12
// SURFACES: 11 12 0 12 11 7 28
#include <cuda_runtime.h>
#include <lathe/device/texture.h>

__global__ void textures(float* pixels, float* out) {
  lathe::Texture image;  // 2 by 3 by 2
  image.data = pixels;
  image.width = 2;
  image.height = 3;
  image.depth = 2;
  image.pitch = 2 * sizeof(float);
  const auto object = reinterpret_cast<cudaTextureObject_t>(&image);
  lathe::Texture row = image;
  row.width = 4;
  row.height = row.depth = 1;
  const auto line = reinterpret_cast<cudaTextureObject_t>(&row);
  out[0] = tex1D<float>(line, 1.9f);
  row.linear = true;
  out[1] = tex1D<float>(line, 2.0f);              // between the second and the third
  out[2] = tex3D<float>(object, 1.5f, 0.0f, 1.0f);  // slice 1, row 0
  image.linear = true;
  out[3] = tex3D<float>(object, 1.0f, 0.5f, 1.0f);  // 1, 2, 7 and 8
  image.linear = false;
  out[4] = tex2DLayered<float>(object, 1.5f, 2.5f, 9);  // the last layer
  out[5] = tex2DLayered<float>(object, 7.0f, 2.0f, 0);  // clamped
  lathe::Texture rows = image;  // lines of two, one a layer
  rows.height = 1;
  rows.depth = 6;
  const auto layers = reinterpret_cast<cudaTextureObject_t>(&rows);
  out[6] = tex1DLayered<float>(layers, 0.0f, 2);
  out[7] = tex1DLayered<float>(layers, -3.0f, -1);
}

__global__ void surfaces(int* pixels, int* out) {
  lathe::Texture image;  // 2 by 3 by 2, and room behind
  image.data = pixels;
  image.width = 2;
  image.height = 3;
  image.depth = 2;
  image.pitch = 2 * sizeof(int);
  image.kind = lathe::TexelKind::signedInteger;
  const auto object = reinterpret_cast<cudaSurfaceObject_t>(&image);
  surf3Dwrite(11, object, 4, 2, 0);
  surf2DLayeredwrite(12, object, 4, 2, 1);
  out[0] = surf2DLayeredread<int>(object, 4, 2, 0);
  out[1] = surf3Dread<int>(object, 4, 2, 1);
  out[2] = surf3Dread<int>(object, 4, 2, 2, cudaBoundaryModeZero);
  surf3Dread(&out[3], object, 9, 9, 9, cudaBoundaryModeClamp);
  surf2DLayeredread(&out[4], object, 4, 2, 0);
  surf3Dwrite(13, object, 0, 0, 2, cudaBoundaryModeZero);
  out[5] = pixels[12] + 7;
  image.height = 1;  // lines of two, one a layer
  surf1DLayeredwrite(14, object, 4, 1);
  out[6] = surf1DLayeredread<int>(object, 4, 1) + pixels[3];
}

/// An image has one level, whatever the level or the gradient.
__global__ void levels(float* pixels, float* out) {
  lathe::Texture image;
  image.data = pixels;
  image.width = 2;
  image.height = 3;
  image.depth = 2;
  image.pitch = 2 * sizeof(float);
  const auto object = reinterpret_cast<cudaTextureObject_t>(&image);
  out[0] = tex1DLod<float>(object, 1.5f, 3);
  out[1] = tex2DLod<float>(object, 1.5f, 2.5f, 1);
  out[2] = tex3DLod<float>(object, 0.5f, 1.5f, 1.5f, 1);
  out[3] = tex1DLayeredLod<float>(object, 0.5f, 1, 2);
  out[4] = tex2DLayeredLod<float>(object, 1.5f, 1.5f, 1, 2);
  out[5] = tex1DGrad<float>(object, 0.5f, 1, 1);
  out[6] = tex2DGrad<float>(object, 0.5f, 2.5f, make_float2(1, 0), make_float2(0, 1));
  out[7] = tex3DGrad<float>(object, 1.5f, 0.5f, 1.5f, make_float4(1, 0, 0, 0), make_float4(0, 1, 0, 0));
  out[8] = tex1DLayeredGrad<float>(object, 0.5f, 1, 1, 1);
  out[9] = tex2DLayeredGrad<float>(object, 1.5f, 1.5f, 1, make_float2(1, 0), make_float2(0, 1));
  bool isResident = false;
  out[10] = tex2D<float>(object, 1.5f, 0.5f, &isResident);
  out[10] += isResident ? 100 : 0;
}

__global__ void instructions(float* out, cudaTextureObject_t image) {
  out[0] = texCubemap<float>(image, 1, 0, 0);
}
