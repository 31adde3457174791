// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import turns annotations into attributes and address spaces and takes out what the front end leaked.
//
// RUN: %dump-after import -t cpu 2>&1 | FileCheck %s
// RUN: %dump-after import -t cuda 2>&1 | FileCheck %s
// RUN: %dump-after import -t cuda 2>&1 | FileCheck %s --check-prefix=NOT --implicit-check-not=norecurse --implicit-check-not=target-cpu --implicit-check-not=llvm.global.annotations
#include <lathe/device.h>

// A group-shared variable lives in space 3 and starts undefined, whatever the target.
// CHECK-DAG: @[[TILE:_ZZ4copy.*4tile]] = internal addrspace(3) global [64 x float] poison, align 4
// Constants and globals keep their role as an attribute, in space 0.
// CHECK-DAG: @weights = global [2 x float] {{.*}} #[[CONSTANT:[0-9]+]]
// CHECK-DAG: @launches = global i32 0{{.*}} #[[GLOBAL:[0-9]+]]
LATHE_CONSTANT float weights[2] = {1, 2};
LATHE_GLOBAL unsigned launches = 0;

// CHECK: define void @_Z4copyPKfPf({{.*}}) #[[KERNEL:[0-9]+]]{{.*}} !lathe.entry
// NOT: define void @_Z4copyPKfPf
LATHE_BOUNDS(64, 2) LATHE_KERNEL void copy(const float* in, float* out) {
  LATHE_SHARED float tile[64];
  const unsigned i = lathe::item_id().x;
  tile[i] = in[lathe::global_id().x] * weights[i & 1];
  lathe::barrier();
  out[lathe::global_id().x] = tile[63 - i];
  if (i == 0) lathe::atomic_add(&launches, 1u);
}

// CHECK-DAG: attributes #[[CONSTANT]] = { "lathe.constant" }
// CHECK-DAG: attributes #[[GLOBAL]] = { "lathe.global" }
// CHECK-DAG: attributes #[[KERNEL]] = { {{.*}}"lathe.kernel" "lathe.max-items"="64" "lathe.min-groups"="2"
