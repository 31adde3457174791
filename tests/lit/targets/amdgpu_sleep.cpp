// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The longest sleeps end: what follows them is still there.
//
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o - | FileCheck %s
#include <lathe/device.h>

// CHECK-LABEL: longest:
// CHECK: s_sleep 1
// CHECK: global_store_dword
// CHECK: s_endpgm
extern "C" LATHE_KERNEL void longest(int* out) {
  lathe::sleep(0xfffffff0u);
  *out = 1;
}
