// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In checked mode each access asks the runtime for the address to use, with the pointer that its own was
// made from, and a barrier is announced. Where only bounds count, they are asked for once, and what is inside them goes on.
//
// RUN: %dump-after device_abi -t cpu --checked 2>&1 | FileCheck %s
// RUN: %dump-after device_abi -t cpu 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not=lathe_check
// PLAIN: define {{.*}}@_Z7reversePi
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

// CHECK: define {{.*}}void @_Z7reversePi(ptr {{.*}}%[[ARGUMENT:[^ )]+]])
LATHE_KERNEL void reverse(int* data) {
  LATHE_SHARED int tile[64];
  const unsigned i = lathe::item_id().x;
  tile[i] = next(data, i);
  lathe::barrier();
  data[i] = tile[63 - i];
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
// CHECK-COUNT-2: call ptr @__lathe_check_access(
// CHECK: ret void
