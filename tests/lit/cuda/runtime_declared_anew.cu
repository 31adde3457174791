// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the runtime are C's, so that headers of other origin (cuda_profiler_api.h of a folder that has little else)
// and programs may declare them anew, also in a file without host code.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=remark: --implicit-check-not=error:
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o - | FileCheck %s %}
// CHECK: .entry _Z3setPi
#include <unistd.h>

extern "C" {
extern __host__ cudaError_t CUDARTAPI cudaProfilerStart(void);
extern __host__ cudaError_t cudaDeviceReset(void);
cudaError_t cudaMalloc(void** pointer, size_t bytes);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream);
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaEventCreate(cudaEvent_t* event);
}
cudaError_t cudaFree(void* pointer);

__global__ void set(int* p) {
  *p = 1;
}

inline __host__ bool isRoot() {
  int* p = nullptr;
  return geteuid() == 0 && cudaMalloc(&p, 4) == cudaSuccess;
}
