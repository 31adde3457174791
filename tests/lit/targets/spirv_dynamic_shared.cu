// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's arrays without a size are the launch-sized memory too: one last parameter, whatever they are called, and only
// for kernels that use them. The image says so.
//
// RUN: %compile %s -t spirv --emit ir -o - | FileCheck %s
// RUN: %compile %s -t spirv -O 0 --emit ir -o - | FileCheck %s
// RUN: %compile %s -t spirv -o %t.img && %lathe inspect --json %t.img | FileCheck %s --check-prefix=IMAGE
#include <cuda_runtime.h>

extern __shared__ int numbers[];
extern __shared__ float reals[];

// CHECK-NOT: @numbers
// CHECK-LABEL: define spir_kernel void @_Z4bothPf(ptr addrspace(1) {{.*}}%out, ptr addrspace(3) {{.*}}align 16 {{.*}}%dynamic_shared)
__global__ void both(float* out) {
  numbers[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = reals[threadIdx.x ^ 1];
}

// CHECK-LABEL: define spir_kernel void @_Z4nonePf(ptr addrspace(1) {{[^,]*}}%out)
__global__ void none(float* out) {
  out[threadIdx.x] = 1;
}

// Who asks for its size gets it before the memory.
// CHECK-LABEL: define spir_kernel void @_Z5askedPj(ptr addrspace(1) {{.*}}%out, i32 %dynamic_shared_bytes, ptr addrspace(3) {{.*}}%dynamic_shared)
// CHECK: store i32 %dynamic_shared_bytes
__global__ void asked(unsigned* out) {
  *out = __lathe_dynamic_shared_bytes();
}

// Functions that stay functions until they are inlined hand both on, by whatever name they know the memory.
// CHECK-LABEL: define spir_kernel void @_Z4deepPj(ptr addrspace(1) {{.*}}%out, i32 %dynamic_shared_bytes, ptr addrspace(3) {{.*}}%dynamic_shared)
// CHECK: getelementptr {{.*}}ptr addrspace(3) %dynamic_shared, i64
// CHECK: load i32, ptr addrspace(3) %dynamic_shared
__device__ __noinline__ unsigned last(int* values) {
  return static_cast<unsigned>(values[__lathe_dynamic_shared_bytes() / 4 - 1] + numbers[0]);
}
__device__ __noinline__ unsigned between(int* values) {
  return last(values) + 1;
}
__global__ void deep(unsigned* out) {
  numbers[threadIdx.x] = 1;
  __syncthreads();
  *out = between(numbers);
}

// IMAGE: "_Z4bothPf"
// IMAGE: "dynamic_shared": true
// IMAGE: "_Z4nonePf"
// IMAGE: "dynamic_shared": false
// IMAGE: "_Z5askedPj"
// IMAGE: "name": "dynamic_shared_bytes"
// IMAGE: "dynamic_shared": true
