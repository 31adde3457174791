// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplify inlines and finds address spaces; loops stay scalar loops, for work-group lowering to see them.
//
// RUN: %dump-after simplify -t cuda 2>&1 | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: %dump-after simplify -t amdgpu 2>&1 | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: %dump-after simplify -t cpu 2>&1 | FileCheck %s
// RUN: %dump-after simplify -t cpu -O 0 2>&1 | FileCheck %s --check-prefix=O0
#include <lathe/device.h>

static int twice(int x) { return 2 * x; }

// CHECK-LABEL: define {{.*}}void @_Z3sumPKiPi
// CHECK-NOT: alloca
// CHECK-NOT: @_ZL5twicei
// GPU: store i32 %{{.*}}, ptr addrspace(3) %
// CHECK: [[LOOP:for.body.*]]:
// CHECK-NOT: x i32>
// CHECK: phi i32 [ 0, %{{.*}} ]
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %[[LOOP]]
//
// O0 keeps the program as it was written.
// O0: call {{.*}}@_ZL5twicei
LATHE_KERNEL void sum(const int* in, int* out) {
  LATHE_SHARED int part[64];
  const unsigned i = lathe::item_id().x;
  part[i] = twice(in[i]);
  lathe::barrier();
  int total = 0;
  for (unsigned k = 0; k <= i; ++k) total += part[k];
  out[i] = total;
}
