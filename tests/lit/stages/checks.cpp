// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In checked mode each access asks the runtime for the address to use, with the pointer that its own was
// made from, and a barrier is announced. Where only bounds count (nothing is written through a restrict pointer), they are
// asked for once, and what is inside them goes on.
//
// RUN: %dump-after instrument -t cpu --checked 2>&1 | FileCheck %s
// RUN: %dump-after device_abi -t cpu 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not=lathe_check
// PLAIN: define {{.*}}@_Z7reversePKiPi
#include <lathe/device.h>

[[gnu::noinline]] static int next(const int* data, unsigned i) {
  return data[i + 1];
}

// CHECK-DAG: @[[NAME:lathe.check.text[.0-9]*]] = private constant [5 x i8] c"data\00"
// CHECK-DAG: @[[TILE:lathe.check.text[.0-9]*]] = private constant [5 x i8] c"tile\00"
// A pointer argument: kind 5, its size is not known here. A shared variable: kind 0.
// CHECK-DAG: @[[DATA:lathe.check.site[.0-9]*]] = private constant { ptr, i64, i32, i32 } { ptr @[[NAME]], i64 0, i32 5, i32 0 }
// CHECK-DAG: @[[SHARED:lathe.check.site[.0-9]*]] = private constant { ptr, i64, i32, i32 } { ptr @[[TILE]], i64 256, i32 0, i32 0 }
// A read of `data`, and a write of `tile`.
// CHECK-DAG: private constant { ptr, i32, i32, i32, i32, ptr } { ptr @{{.*}}, i32 [[# @LINE - 9]], i32 {{[0-9]+}}, i32 1, i32 0, ptr @[[DATA]] }
// CHECK-DAG: private constant { ptr, i32, i32, i32, i32, ptr } { ptr @{{.*}}, i32 [[# @LINE + 6]], i32 {{[0-9]+}}, i32 2, i32 0, ptr @[[SHARED]] }

// CHECK: define {{.*}}void @_Z7reversePKiPi(ptr {{.*}}%[[ARGUMENT:[^ ,]+]], ptr {{.*}}%[[OUT:[^ )]+]])
LATHE_KERNEL void reverse(const int* __restrict__ data, int* out) {
  LATHE_SHARED int tile[64];
  const unsigned i = lathe::item_id().x;
  tile[i] = next(data, i);
  lathe::barrier();
  out[i] = tile[63 - i];
}
// CHECK: %[[FIRST:.+]] = call i64 @__lathe_check_first(ptr %[[ARGUMENT]])
// CHECK: %[[SIZE:.+]] = call i64 @__lathe_check_size(ptr %[[ARGUMENT]])
// CHECK: call void @__lathe_check_enter(i32 %[[ITEM:[^,]+]],
// CHECK-NOT: getelementptr inbounds
// CHECK: %[[OFFSET:.+]] = sub i64 %{{.+}}, %[[FIRST]]
// CHECK: %[[ROOM:.+]] = sub i64 %[[SIZE]], 4
// CHECK: icmp ule i64 %[[OFFSET]], %[[ROOM]]
// CHECK: br i1 %outside
// CHECK: %[[USE:.+]] = call ptr @__lathe_check_access(ptr @{{[^,]+}}, ptr %{{[^,]+}}, ptr %[[ARGUMENT]], i64 4, i32 %[[ITEM]])
// CHECK: %[[EITHER:.+]] = phi ptr [ %[[USE]], %{{.+}} ], [ %{{.+}}, %{{.+}} ]
// CHECK: load i32, ptr %[[EITHER]]
// CHECK: %[[PLACE:.+]] = call ptr @__lathe_check_access(ptr @{{[^,]+}}, ptr %{{[^,]+}}, ptr addrspacecast (ptr addrspace(3) @{{.*}}tile to ptr), i64 4, i32 %[[ITEM]])
// CHECK-NEXT: store i32 %{{.+}}, ptr %[[PLACE]]
// CHECK: call void @__lathe_check_barrier(ptr @{{[^,]+}}, i32 %[[ITEM]])
// CHECK-NEXT: call void @__lathe_group_barrier()
// CHECK: call ptr @__lathe_check_access(
// Other items may write where it is written.
// CHECK: %[[TO:.+]] = call ptr @__lathe_check_access(ptr @{{[^,]+}}, ptr %{{[^,]+}}, ptr %[[OUT]], i64 4, i32 %[[ITEM]])
// CHECK-NEXT: store i32 %{{.+}}, ptr %[[TO]]
// CHECK: ret void

// A loop that only waits announces its iterations, and its end; one that counts does not.
// CHECK: define {{.*}}void @_Z5awaitPVii(
// CHECK: load volatile i32
// CHECK: call void @__lathe_check_wait(ptr @{{[^,]+}}, i32 %{{.+}})
// CHECK: call void @__lathe_check_waited()
// CHECK: load volatile i32
// CHECK-NOT: call void @__lathe_check_wait
// CHECK: ret void
LATHE_KERNEL void await(volatile int* flag, int tries) {
  while (*flag == 0) {
  }
  for (int i = 0; i < tries && *flag == 1; ++i) {
  }
}
