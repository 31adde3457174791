// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL's instructions for what IR says in several, and equal values once (targets/spirv/instructions.cpp).
//
// RUN: %compile %s -t spirv --emit asm -o - | FileCheck %s
// RUN: %compile %s -t spirv --emit object -o %t.spv && spirv-val --target-env spv1.4 %t.spv
// REQUIRES: spirv-val

// CHECK-DAG: OpName %[[saxpy:[0-9]+]] "_Z5saxpyfPKfPf"
// CHECK-DAG: OpName %[[fields:[0-9]+]] "_Z6fieldsPK6float4PS_"
// mad has no bound for its error.
// CHECK: %[[saxpy]] = OpFunction
// CHECK: OpFMul
// CHECK-NOT: OpExtInst %{{[0-9]+}} %{{[0-9]+}} mad
// CHECK: OpFAdd
// CHECK: OpFunctionEnd
__global__ void saxpy(float a, const float* x, float* y) {
  y[threadIdx.x] = a * x[threadIdx.x] + y[threadIdx.x];
}

// CHECK: OpExtInst %{{[0-9]+}} %{{[0-9]+}} rsqrt
// CHECK: OpFunctionEnd
__global__ void root(float* x) {
  x[threadIdx.x] = rsqrtf(x[threadIdx.x]);
}

// CHECK: OpExtInst %{{[0-9]+}} %{{[0-9]+}} rotate
// CHECK-NOT: OpShift
// CHECK: OpFunctionEnd
__global__ void turn(unsigned* x) {
  const unsigned word = x[threadIdx.x];
  x[threadIdx.x] = (word << 13) | (word >> 19);
}

// Two remainders, of which unrolling made six.
// CHECK-COUNT-2: OpSRem
// CHECK-NOT: OpSRem
// CHECK: OpFunctionEnd
__global__ void around(int width, const int* in, int* out) {
  const int x = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 3; ++k) sum += in[(x + width) % width + k * ((x * 3) % width)];
  out[x] = sum;
}

// CHECK: %[[fields]] = OpFunction
// CHECK-NOT: OpBitcast
// CHECK: OpFunctionEnd
__global__ void fields(const float4* in, float4* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
