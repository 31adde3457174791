// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The skeleton of a dialect adds one spelling to the kernel language; it is chosen by its name or its ending.
//
// RUN: %dump-after import -t cpu -x null 2>&1 | FileCheck %s
// RUN: cp %s %t.null.cpp
// RUN: %compile %t.null.cpp -t cuda --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: not %compile %s -t cpu -x nul -o %t.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK-LABEL: define {{.*}} @_Z5twicePf
// PTX: .entry _Z5twicePf
// UNKNOWN: no dialect is called 'nul'; did you mean 'null'?
kernel void twice(float* data) {
  data[lathe::global_id().x] *= 2.0f;
}
