// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of host libraries bring half and complex numbers to kernels; calls of the libraries are put aside.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
// CHECK-NOT: not found
// CHECK: remark: host code was not understood in 3 places
#include <cublas_v2.h>
#include <cufft.h>
#include <stdio.h>

typedef __nv_bfloat16 floatX;
cublasHandle_t handle;

void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) printf("failed\n");
}

__global__ void widen(const floatX* in, float* out) {
  out[threadIdx.x] = static_cast<float>(in[threadIdx.x]);
}

__global__ void scale(cufftComplex* data, float by) {
  data[threadIdx.x] = make_cuComplex(data[threadIdx.x].x * by, cuCimagf(data[threadIdx.x]) * by);
}

int main() {
  cufftHandle plan;
  check(cublasCreate(&handle));
  cufftPlan1d(&plan, 256, CUFFT_C2C, 1);
  cufftExecC2C(plan, (cufftComplex*)NULL, (cufftComplex*)NULL, CUFFT_FORWARD);
  widen<<<1, 64>>>(NULL, NULL);
  scale<<<1, 64>>>(NULL, 1.0f / 256);
}
