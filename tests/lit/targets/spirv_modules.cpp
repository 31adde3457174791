// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPIR-V text: the environment, entry points by their own names, storage classes, mathematics as OpenCL's instructions.
//
// RUN: %compile %s -t spirv --emit spvasm -o - | FileCheck %s
// RUN: %compile %s -t spirv -O 0 --emit spvasm -o - | FileCheck %s --check-prefix=O0
// RUN: %compile %s -t spirv --group-size 8,4,2 --emit spvasm -o - | FileCheck %s --check-prefix=SIZE
// RUN: %compile %s -t spirv --no-contract --emit spvasm -o - | FileCheck %s --check-prefix=OFF
// RUN: %compile %s -t spirv -o %t.img && %lathe inspect %t.img | FileCheck %s --check-prefix=IMAGE
// RUN: not %compile %s -t spirv --emit ptx -o %t 2>&1 | FileCheck %s --check-prefix=FORMAT
#include <lathe/device.h>

// FORMAT: target 'spirv' does not emit 'ptx'

// CHECK-DAG: OpCapability Kernel
// CHECK-DAG: OpCapability Addresses
// CHECK-DAG: OpCapability Int64
// CHECK: OpMemoryModel Physical64 OpenCL
// CHECK-DAG: OpEntryPoint Kernel %[[#WAVES:]] "_Z5wavesPKfPfb"
// CHECK-DAG: OpEntryPoint Kernel %[[#SUM:]] "_Z3sumiPKiPi"
// CHECK-DAG: OpEntryPoint Kernel %[[#PLACE:]] "_Z5place5PointPd"
// CHECK: OpSource OpenCL_C 200000
// CHECK-NOT: ContractionOff
// OFF: OpExecutionMode %{{[0-9]+}} ContractionOff
// SIZE-COUNT-3: OpExecutionMode %{{[0-9]+}} LocalSize 8 4 2
// IMAGE-DAG: spv1.4
// IMAGE-DAG: _Z5wavesPKfPfb

// A table that is only read is in the storage class of constants; one that the host sets is global memory.
// CHECK-DAG: = OpVariable %{{[0-9]+}} UniformConstant
// CHECK-DAG: = OpVariable %{{[0-9]+}} Workgroup
struct Point {
  double x, y;
};

// Without optimisation too, kernels call nothing.
// O0-NOT: OpFunctionCall
// CHECK: %[[#WAVES]] = OpFunction
// CHECK: OpExtInst %{{[0-9]+}} %{{[0-9]+}} sin
// CHECK: OpExtInst %{{[0-9]+}} %{{[0-9]+}} cbrt
LATHE_KERNEL void waves(const float* in, float* out, bool twice) {
  static constexpr float scale[5] = {0.5f, 1, 2, 4, 9};
  LATHE_SHARED float part[64];
  const unsigned i = lathe::global_id().x;
  part[lathe::item_id().x & 63] = std::sin(in[i]);
  lathe::barrier();
  out[i] = std::cbrt(part[63 - (lathe::item_id().x & 63)]) * scale[i % 5] * (twice ? 2 : 1);
}

// CHECK: %[[#PLACE]] = OpFunction
LATHE_KERNEL void place(Point point, double* out) {
  out[lathe::global_id().x] += point.x * point.y;
}

// Launch-sized memory is the last parameter.
// CHECK: %[[#SUM]] = OpFunction
// CHECK: OpFunctionParameter %[[#I32:]]
// CHECK-COUNT-2: OpFunctionParameter %[[#GLOBAL:]]
// CHECK-NEXT: OpFunctionParameter %[[#]]
// CHECK-NEXT: OpLabel
LATHE_KERNEL void sum(int n, const int* in, int* out) {
  int* const part = lathe::dynamic_shared<int>();
  part[lathe::item_id().x] = in[lathe::item_id().x];
  lathe::barrier();
  if (lathe::item_id().x == 0)
    for (int i = 0; i < n; ++i) lathe::atomic_add(out, part[i]);
}
