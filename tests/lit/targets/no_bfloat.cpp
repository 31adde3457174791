// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16 on a machine without it is an error at its line, also where a constant of it is folded.
// RUN: not %compile %s -t wasm32 -o %t.limg 2>&1 | FileCheck %s
// CHECK: no_bfloat.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: __bf16 is not supported on this target
#include <lathe/device.h>
LATHE_KERNEL void scaled(const __bf16* in, __bf16* out) {
  const unsigned i = lathe::global_id().x;
  out[i] = in[i] + in[i + 1] * __bf16(2.5f);
}
