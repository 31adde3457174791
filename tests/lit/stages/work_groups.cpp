// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the hardware has no items, they become loops: one before the barrier, one after it, in one function that runs
// a group. Where it has them, the target's pipeline has no such stage.
//
// RUN: %dump-after work_groups -t cpu 2>&1 | FileCheck %s --check-prefix=CPU --implicit-check-not="call {{.*}}@__lathe_"
// RUN: not %dump-after work_groups -t cuda 2>&1 | FileCheck %s --check-prefix=ITEMS
// ITEMS: error: target 'cuda' has no stage 'work_groups'
// ITEMS: hint: stages: all, neutralise, host_symbols, import
#include <lathe/device.h>

// The entry reads the parameter block and the launch, as core/group/entry/group_entry.h lays them out.
// CPU: define {{.*}}void @_Z7reversePi(ptr {{.*}}%parameters, ptr {{.*}}%launch)
// The shared array is gone into the group's block, and each side of the barrier is a loop whose iterations are declared
// independent.
// CPU-NOT: addrspace(3)
// CPU: store i32 %{{.*}}, !llvm.access.group ![[FIRST:[0-9]+]]
// CPU: br i1 {{.*}} !llvm.loop ![[LOOP1:[0-9]+]]
// CPU: store i32 %{{.*}}, !llvm.access.group ![[SECOND:[0-9]+]]
// CPU: br i1 {{.*}} !llvm.loop ![[LOOP2:[0-9]+]]
// CPU-DAG: !{!"llvm.loop.parallel_accesses", ![[FIRST]]}
// CPU-DAG: !{!"llvm.loop.parallel_accesses", ![[SECOND]]}
LATHE_KERNEL void reverse(int* data) {
  LATHE_SHARED int part[64];
  const unsigned i = lathe::item_id().x;
  part[i] = data[i];
  lathe::barrier();
  data[i] = part[63 - i];
}
