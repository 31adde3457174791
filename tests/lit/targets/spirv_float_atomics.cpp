// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic additions of floats: loops around compare and exchange, or, where a descriptor says that devices have it, the
// instruction of SPV_EXT_shader_atomic_float_add.
//
// REQUIRES: spirv-val
// DEFINE: %{targets} = env LATHE_TARGET_PATH=%S/../Inputs/targets
// RUN: %compile %s -t spirv --emit spv -o %t.spv && spirv-val --target-env spv1.4 %t.spv
// RUN: spirv-dis %t.spv | FileCheck %s --check-prefix=LOOP --implicit-check-not=OpAtomicFAddEXT
// RUN: %{targets} %compile %s -t spirv-atomics --emit spv -o %t.ext.spv && spirv-val --target-env spv1.4 %t.ext.spv
// RUN: spirv-dis %t.ext.spv | FileCheck %s --implicit-check-not=OpAtomicCompareExchange
// RUN: %{targets} %compile %s -t spirv-atomics:spv1.6 -O 0 --emit spv -o %t.ext.spv && spirv-val --target-env spv1.6 %t.ext.spv
// RUN: %{targets} %compile %s -t spirv-atomics --emit image -o %t.limg && %lathe inspect %t.limg | FileCheck %s --check-prefix=IMAGE
// RUN: not %{targets} %compile %s -t spirv-atomics --emit spvasm -o %t.asm 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not %{targets} %compile %s -t spirv-unknown-extension --emit spv -o %t.no 2>&1 | FileCheck %s --check-prefix=UNKNOWN
#include <lathe/device.h>

// LOOP: OpAtomicCompareExchange
// CHECK-DAG: OpCapability AtomicFloat32AddEXT
// CHECK-DAG: OpCapability AtomicFloat64AddEXT
// CHECK-DAG: OpExtension "SPV_EXT_shader_atomic_float_add"
// CHECK-DAG: OpEntryPoint Kernel {{.*}} "_Z3addPfPd"
// CHECK-COUNT-2: OpAtomicFAddEXT
// IMAGE: _Z3addPfPd
// TEXT: error: spirv-atomics: assembly text is not made of modules with extensions
// TEXT: hint: emit spv
// UNKNOWN: error: spirv-unknown-extension: {{.*}}SPV_EXT_no_such_thing
LATHE_KERNEL void add(float* one, double* two) {
  __lathe_atomic_add_f32(one, 1.5f, 0, 3);
  __lathe_atomic_add_f64(two, 2.5, 3, 3);
}
