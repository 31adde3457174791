// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols of kernels and layouts of types: those that clang 22 gives with ROCm 5.2's headers for gfx942.
// RUN: %compile %s -t amdgpu:gfx942 --emit ir -o %t.ll && FileCheck %s < %t.ll
// CHECK-DAG: amdgpu_kernel void @_Z1aI15HIP_vector_typeIfLj4EEEvPT_S2_(
// CHECK-DAG: amdgpu_kernel void @_Z1aI15HIP_vector_typeIcLj1EEEvPT_S2_(
// CHECK-DAG: amdgpu_kernel void @_Z1aI15HIP_vector_typeIhLj3EEEvPT_S2_(
// CHECK-DAG: amdgpu_kernel void @_Z1aI15HIP_vector_typeIxLj2EEEvPT_S2_(
// CHECK-DAG: amdgpu_kernel void @_Z1aI6__halfEvPT_S1_(
// CHECK-DAG: amdgpu_kernel void @_Z1aI7__half2EvPT_S1_(
// CHECK-DAG: amdgpu_kernel void @_Z1aI14__hip_bfloat16EvPT_S1_(
// CHECK-DAG: amdgpu_kernel void @_Z1aI3BoxI15HIP_vector_typeIdLj3EELi3EEEvPT_S4_(
// CHECK-DAG: amdgpu_kernel void @_Z1b4dim3P12ihipStream_t10hipError_t15HIP_vector_typeIjLj3EE(
// CHECK-DAG: amdgpu_kernel void @_Z1cIZ8launcherPiEUliE_EvT_S0_(
// CHECK-DAG: amdgpu_kernel void @_Z1d13hipPitchedPtr9hipExtent6hipPosP8hipArray20hipChannelFormatDesc(
#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

template <class T, int N>
struct Box {
  T v[N];
};
template <class T>
__global__ void a(T* p, const T q) {
  p[0] = q;
}
template __global__ void a<float4>(float4*, float4);
template __global__ void a<char1>(char1*, char1);
template __global__ void a<uchar3>(uchar3*, uchar3);
template __global__ void a<longlong2>(longlong2*, longlong2);
template __global__ void a<__half>(__half*, __half);
template __global__ void a<__half2>(__half2*, __half2);
template __global__ void a<__hip_bfloat16>(__hip_bfloat16*, __hip_bfloat16);
template __global__ void a<Box<double3, 3>>(Box<double3, 3>*, Box<double3, 3>);
__global__ void b(dim3, hipStream_t, hipError_t, uint3) {}
template <class F>
__global__ void c(F f, int* p) {
  p[0] = f(p[1]);
}
void launcher(int* p) {
  hipLaunchKernelGGL(c, dim3(1), dim3(1), 0, 0, [] __device__(int x) { return x + 1; }, p);
}

#define LAYOUT(T, size, alignment) static_assert(sizeof(T) == size && alignof(T) == alignment);
LAYOUT(char1, 1, 1)
LAYOUT(char2, 2, 2)
LAYOUT(char3, 3, 1)
LAYOUT(char4, 4, 4)
LAYOUT(ushort3, 6, 2)
LAYOUT(ushort4, 8, 8)
LAYOUT(int2, 8, 8)
LAYOUT(uint3, 12, 4)
LAYOUT(float4, 16, 16)
LAYOUT(long3, 24, 8)
LAYOUT(longlong4, 32, 32)
LAYOUT(double2, 16, 16)
LAYOUT(double3, 24, 8)
LAYOUT(double4, 32, 32)
LAYOUT(dim3, 12, 4)
LAYOUT(hipDoubleComplex, 16, 16)
LAYOUT(__half2, 4, 4)
__global__ void d(hipPitchedPtr p, hipExtent, hipPos, hipArray* array, hipChannelFormatDesc) {
  static_cast<int*>(p.ptr)[0] = array != nullptr;
}
