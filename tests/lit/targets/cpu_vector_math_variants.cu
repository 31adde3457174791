// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector code it stays for half, for the functions that only glibc has for vectors, for Lathe's own over them, and with
// the options that change mathematics.
//
// RUN: %compile --target x86-64-v3 --emit asm -o - %s | FileCheck %s
// RUN: %compile --target x86-64-v3 --fast-math --emit asm -o - %s | FileCheck %s
// RUN: %compile --target x86-64-v3 --ftz --emit asm -o - %s | FileCheck %s
#include <cuda_fp16.h>

// CHECK-LABEL: {{^}}halves.group:
// CHECK: call{{.*}}_ZGVdN8v_tanhf
// CHECK: vcvtps2ph
extern "C" __global__ void halves(const __half* in, __half* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __float2half(tanhf(__half2float(in[i])));
}
// CHECK-LABEL: {{^}}powers.group:
// CHECK-DAG: call{{.*}}_ZGVdN4vv_pow
// CHECK-DAG: call{{.*}}_ZGVdN4v_log1p
extern "C" __global__ void powers(const double* in, double* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = pow(in[i], in[i + 1]) + log1p(in[i]);
}
// CHECK-LABEL: {{^}}later.group:
// CHECK-DAG: call{{.*}}_ZGVdN8v_tanhf
// CHECK-DAG: call{{.*}}_ZGVdN8v_atanhf
// CHECK-DAG: call{{.*}}_ZGVdN8vv_atan2f
// CHECK-DAG: call{{.*}}_ZGVdN8v_cbrtf
extern "C" __global__ void later(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tanhf(in[i]) + atanhf(in[i]) + atan2f(in[i], 2.0f) + cbrtf(in[i]);
}
// CHECK-LABEL: {{^}}own.group:
// CHECK: call{{.*}}_ZGVdN8v_tanhf
extern "C" __global__ void own(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sinpif(in[i]) + tanhf(in[i]);
}
