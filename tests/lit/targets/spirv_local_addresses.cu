// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local array of addresses of objects with virtual functions has room for all of them.
// RUN: %compile %s -t spirv --emit spvasm -o - | FileCheck %s
// CHECK: %[[THREE:[0-9]+]] = OpConstant %{{[0-9]+}} 3{{$}}
// CHECK: OpTypeArray %{{[0-9]+}} %[[THREE]]
// CHECK: %[[ARRAY:[0-9]+]] = OpTypeArray %{{[0-9]+}} %[[THREE]]
// CHECK: %[[POINTER:[0-9]+]] = OpTypePointer Function %[[ARRAY]]
// CHECK: OpVariable %[[POINTER]] Function
struct Shape {
  int size;
  __device__ explicit Shape(int s) : size(s) {}
  __device__ virtual int area(int scale) const { return size * scale; }
};
struct Square : Shape {
  using Shape::Shape;
  __device__ int area(int scale) const override { return size * size * scale; }
};
__global__ void ofObjects(const int* in, int* out) {
  const unsigned i = threadIdx.x;
  const Shape line(in[i]);
  const Square square(in[i] + 1);
  const Square larger(in[i] + 2);
  const Shape* const shapes[] = {&line, &square, &larger};
  out[i] = shapes[in[i] % 3]->area(static_cast<int>(i)) + shapes[i % 3]->area(1000);
}
