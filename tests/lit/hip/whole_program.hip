// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with its host code: launches by macro and by brackets say which instances there are, calls of the runtime parse.
// RUN: %compile %s -t amdgpu:gfx90a -o %t.limg 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: %lathe inspect %t.limg | FileCheck %s
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %compile %s -t spirv -o %t.spirv.limg
// RUN: %lathe run %s -t cpu -k 'scale<float>' --grid 2 --group 32 --arg iota:f32[64] --arg 3 --arg 64 --print 0:4 | FileCheck %s --check-prefix=RESULT
// QUIET-NOT: not understood
// CHECK-DAG: _Z5scaleIfEvPT_S0_i
// CHECK-DAG: _Z5scaleIdEvPT_S0_i
// CHECK-DAG: _Z5scaleI15HIP_vector_typeIfLj2EEEvPT_S2_i
// RESULT: 0 3 6 9
#include <hip/hip_runtime.h>
#include <cstdio>

#define CHECK(call)                                                                 \
  if (const hipError_t error = (call); error != hipSuccess) {                       \
    std::fprintf(stderr, "%s: %s\n", hipGetErrorName(error), hipGetErrorString(error)); \
    return 1;                                                                       \
  }

template <class T>
__global__ void scale(T* p, T factor, int n) {
  const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n) p[i] = p[i] * factor;
}

int main() {
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0))
  std::printf("%s: %d\n", properties.gcnArchName, properties.warpSize);
  int processors = 0;
  CHECK(hipDeviceGetAttribute(&processors, hipDeviceAttributeMultiprocessorCount, 0))
  float *device = nullptr, *host = nullptr;
  CHECK(hipMalloc(&device, 256))
  CHECK(hipHostMalloc(&host, 256, hipHostMallocDefault))
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream))
  CHECK(hipMemcpyAsync(device, host, 256, hipMemcpyHostToDevice, stream))
  hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<float>), dim3(2), dim3(32), 0, stream, device, 2.0f, 64);
  hipLaunchKernelGGL(scale, 1, 32, 0, 0, reinterpret_cast<double*>(device), 2.0, 32);
  scale<float2><<<1, 32>>>(reinterpret_cast<float2*>(device), float2(1, 2), 32);
  CHECK(hipGetLastError())
  CHECK(hipStreamSynchronize(stream))
  hipModule_t module;
  hipFunction_t function;
  CHECK(hipModuleLoad(&module, "kernels.hsaco"))
  CHECK(hipModuleGetFunction(&function, module, "scale"))
  CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr))
  CHECK(hipFree(device))
  CHECK(hipHostFree(host))
}
