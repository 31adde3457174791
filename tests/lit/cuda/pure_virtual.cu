// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes without a body for a virtual function: their tables name a function of C++'s own, which ends the kernel.
// RUN: %compile %s -O 0 -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: %compile %s -O 0 -t cpu -o %t.limg
// RUN: %compile %s -O 0 -t amdgpu:gfx942 -o %t.limg
// RUN: %compile %s -O 0 -t spirv -o %t.limg

// CHECK: .func {{.*}}__cxa_pure_virtual
// CHECK: trap
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual void gone() const = delete;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
};

__global__ void areas(const float* in, float* out) {
  const Square square(in[threadIdx.x]);
  const Shape& shape = square;
  out[threadIdx.x] = shape.area();
}
