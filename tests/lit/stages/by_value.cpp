// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A class passed by value to a function that is not inlined: where the stack has an address space of its own, the callee
// makes the copy, because back ends there take `byval` for a pointer of that space.
//
// RUN: %dump-after retarget -t amdgpu:gfx1100 -O0 2>&1 | FileCheck %s
// RUN: %dump-after retarget -t cuda:sm_80 -O0 2>&1 | FileCheck %s --check-prefix=SAME
#include <lathe/device.h>

struct Wide {
  int x[5];
};

// CHECK: define {{.*}}@_Z5twice4Widei(ptr align 4 %w,
// The copy may become a loop, and a variable behind it would be one of dynamic size: it is behind all of them.
// CHECK: %k.addr = alloca i32
// CHECK: %[[SLOT:[a-z.]+]] = alloca %struct.Wide, align 4, addrspace(5)
// CHECK: call void @llvm.memcpy
// CHECK-NOT: alloca
// CHECK: }
// SAME: @_Z5twice4Widei(ptr byval(%struct.Wide) align 4 %w,
[[gnu::noinline]] int twice(Wide w, int k) {
  w.x[0] *= 2;
  return w.x[0] + w.x[k];
}

// CHECK: call {{.*}}@_Z5twice4Widei(ptr align 4
LATHE_KERNEL void both(Wide w, int* out) {
  out[0] = twice(w, 4);
  out[1] = w.x[0];
}
