// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture reads that tell whether the texels are in memory, and reads of layers by gradients: nvcc's instructions on NVIDIA
// GPUs; elsewhere every texel is in memory.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_90 %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.ptx %t.nvcc.ptx "(tex|tld4)\.[a-z0-9.]+" any-order %}
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg
// RUN: %compile %s -t spirv -o %t.limg
// CHECK-COUNT-12: }|
// CHECK: tex.grad.a1d.v4.f32.f32
#define READ(name, type, ...)                                              \
  extern "C" __global__ void name(type* out, cudaTextureObject_t object) { \
    bool isResident;                                                       \
    out[0] = __VA_ARGS__;                                                  \
    out[1].x = isResident;                                                 \
  }
READ(plane, float4, tex2D<float4>(object, 1, 2, &isResident))
READ(planeInts, int4, tex2D<int4>(object, 1, 2, &isResident))
READ(volume, uint4, tex3D<uint4>(object, 1, 2, 3, &isResident))
READ(layers, float4, tex2DLayered<float4>(object, 1, 2, 3, &isResident))
READ(planeLevel, float4, tex2DLod<float4>(object, 1, 2, 0.5f, &isResident))
READ(volumeLevel, float4, tex3DLod<float4>(object, 1, 2, 3, 0.5f, &isResident))
READ(layersLevel, float4, tex2DLayeredLod<float4>(object, 1, 2, 3, 0.5f, &isResident))
READ(planeGradients, float4, tex2DGrad<float4>(object, 1, 2, make_float2(1, 2), make_float2(3, 4), &isResident))
READ(volumeGradients, float4,
     tex3DGrad<float4>(object, 1, 2, 3, make_float4(1, 2, 3, 0), make_float4(3, 4, 5, 0), &isResident))
READ(layersGradients, float4,
     tex2DLayeredGrad<float4>(object, 1, 2, 3, make_float2(1, 2), make_float2(3, 4), &isResident))
READ(gathered, float4, tex2Dgather<float4>(object, 1, 2, &isResident, 1))
READ(gatheredInts, int4, tex2Dgather<int4>(object, 1, 2, &isResident))
extern "C" __global__ void layersByGradients(float4* out, cudaTextureObject_t object) {
  out[0] = tex1DLayeredGrad<float4>(object, 1, 2, 3, 4);
  out[1] = tex2DLayeredGrad<float4>(object, 1, 2, 3, make_float2(1, 2), make_float2(3, 4));
}
