// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the runtime that are macros, which sources ask for before they use them.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=remark:
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o - | FileCheck %s %}
// CHECK: .entry _Z4maskPi
// CHECK: , 7;
#if defined(cudaEventWaitExternal) && defined(cudaDeviceScheduleMask) && defined(cudaKernelNodeAttributePriority)
__global__ void mask(int* to) {
  to[0] = cudaDeviceScheduleMask;
}
#endif
__host__ cudaError_t wait(cudaStream_t stream, cudaEvent_t event) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaLaunchMemSyncDomainMap domains{0, 1};
  return cudaStreamWaitEvent(stream, event, info.errorNode ? cudaEventWaitExternal : domains.default_);
}
