// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A specialisation that leaves out __device__ and cannot be compiled for the device is an error: kernels do not get
// what the template says of other types.
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx 2>&1 | FileCheck %s --check-prefix=NVCC %}
// CHECK: specialisation_that_fails.cu:[[#@LINE+10]]:{{[0-9]+}}: error: no matching function for call to 'onHost'
// CHECK: note: candidate function not viable: call to __host__ function from __device__ function
// NVCC: error: calling a __host__ function("onHost{{.*}}") from a __device__ function("id
template <class T>
__device__ int id() {
  return -1;
}
int onHost(int);
template <>
inline int id<int>() {
  return onHost(4);
}
__global__ void kernel(int* out) {
  *out = id<int>();
}
