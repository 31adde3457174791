// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With debug information, instructions of SPIR-V have the lines of the source, those of inlined functions with the call.
// RUN: %lathe compile %s -t spirv --emit spv -o %t.plain.spv
// RUN: %lathe compile %s -t spirv -g --emit spv -o %t.spv
// RUN: %lathe compile %s -t spirv -g -O0 --emit spv -o %t.o0.spv
// RUN: %if spirv-val %{ spirv-val --target-env spv1.4 %t.spv && spirv-val --target-env spv1.4 %t.o0.spv %}
// RUN: %if spirv-val %{ spirv-dis --raw-id %t.spv | FileCheck %s %}
// RUN: %if spirv-val %{ spirv-dis --raw-id %t.o0.spv | FileCheck %s %}
// RUN: %if spirv-val %{ spirv-dis %t.plain.spv | FileCheck %s --check-prefix=PLAIN %}
// PLAIN-NOT: {{OpLine|OpNoLine|Debug}}
// PLAIN: OpFunctionEnd
__device__ float twice(float x) {
  return x * 2.0f;
}
extern "C" __global__ void scale(const float* from, float* to) {
  if (from[0] == 0)
    return;
  to[1] = twice(from[0]) +
          7;
}
// CHECK: [[SET:%[0-9]+]] = OpExtInstImport "OpenCL.DebugInfo.100"
// CHECK: OpEntryPoint Kernel [[KERNEL:%[0-9]+]] "scale"
// CHECK-DAG: [[FILE:%[0-9]+]] = OpString "{{.*}}spirv_lines.cu"
// CHECK-DAG: [[SCALE:%[0-9]+]] = OpString "scale"
// CHECK-DAG: [[TWICE:%[0-9]+]] = OpString "twice"
// CHECK-DAG: [[SOURCE:%[0-9]+]] = OpExtInst {{%[0-9]+}} [[SET]] DebugSource [[FILE]]
// CHECK-DAG: DebugCompilationUnit 65536 4 [[SOURCE]] CPP_for_OpenCL
// CHECK-DAG: [[OUTER:%[0-9]+]] = OpExtInst {{%[0-9]+}} [[SET]] DebugFunction [[SCALE]] {{%[0-9]+}} [[SOURCE]] 16 {{.*}} [[KERNEL]]
// CHECK-DAG: [[INNER:%[0-9]+]] = OpExtInst {{%[0-9]+}} [[SET]] DebugFunction [[TWICE]] {{%[0-9]+}} [[SOURCE]] 13
// CHECK-DAG: [[CALL:%[0-9]+]] = OpExtInst {{%[0-9]+}} [[SET]] DebugInlinedAt 19 [[OUTER]]
// CHECK: [[KERNEL]] = OpFunction
// CHECK: OpLine [[FILE]] 17 15
// CHECK-NEXT: OpFOrdEqual
// CHECK: OpExtInst {{%[0-9]+}} [[SET]] DebugScope [[INNER]] [[CALL]]
// CHECK-NEXT: OpLine [[FILE]] 14 12
// CHECK-NEXT: OpFMul
// CHECK-NEXT: OpExtInst {{%[0-9]+}} [[SET]] DebugScope [[OUTER]]
// CHECK-NEXT: OpLine [[FILE]] 19 26
// CHECK-NEXT: OpFAdd
// CHECK: OpLine [[FILE]] 19 9
// CHECK-NEXT: OpStore
// CHECK: OpLine [[FILE]] 21 1
