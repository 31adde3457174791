// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic loads and stores stay atomic: a loop that waits for a value loads it each time.
//
// RUN: %lathe compile %s -t spirv --emit asm -o - | FileCheck %s
// RUN: %lathe compile %s -t spirv -O 0 --emit asm -o - | FileCheck %s
// RUN: %if spirv-val %{ %lathe compile %s -t spirv --emit spv -o %t.spv && spirv-val --target-env spv1.4 %t.spv %}
#include <lathe/device.h>

// CHECK: OpFunction
// CHECK: OpAtomicLoad %{{[0-9]+}} %{{[0-9]+}} [[DEVICE:%[0-9]+]] [[RELAXED:%[0-9]+]]
// CHECK: OpMemoryBarrier [[DEVICE]]
// CHECK: OpAtomicStore %{{[0-9]+}} [[DEVICE]] [[RELAXED]]
// CHECK: OpFunctionEnd
extern "C" LATHE_KERNEL void wait_for(unsigned* flag, unsigned* out) {
  while (lathe::atomic_load<lathe::order::acquire>(flag) == 0) {
  }
  lathe::atomic_store<lathe::order::relaxed>(out, 1);
}

// CHECK: OpFunction
// CHECK-NOT: [[DEVICE]]
// CHECK: OpAtomicLoad %{{[0-9]+}} %{{[0-9]+}} [[GROUP:%[0-9]+]] [[RELAXED]]
// CHECK: OpMemoryBarrier [[GROUP]]
// CHECK: OpAtomicStore %{{[0-9]+}} [[GROUP]] [[RELAXED]]
// CHECK: OpFunctionEnd
extern "C" LATHE_KERNEL void shared(unsigned long long* out) {
  LATHE_SHARED unsigned long long cell;
  const auto seen = lathe::atomic_load<lathe::order::relaxed, lathe::scope::group>(&cell);
  lathe::atomic_store<lathe::order::release, lathe::scope::group>(&cell, seen + 1);
  out[0] = seen;
}
