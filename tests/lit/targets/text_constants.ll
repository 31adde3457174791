; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Variables with names that no language takes keep apart, and conditions in constants have a bit each.
; RUN: %compile %s -t opencl-c --emit source -o - | FileCheck %s
; RUN: %compile %s -t metal --emit source -o - | FileCheck %s
; CHECK-DAG: lathe_a_b_{{[0-9a-f]+}}[16]
; CHECK-DAG: lathe_a_b[16]
; CHECK-DAG: lathe_conditions_table_{{[0-9a-f]+}}[4]{{.*}}{221,221,1,128}
@a.b = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@a_b = internal constant [4 x i32] [i32 5, i32 6, i32 7, i32 8]
define void @names(ptr addrspace(1) %o, i32 %n) #0 {
  %i = and i32 %n, 3
  %p = getelementptr [4 x i32], ptr @a.b, i32 0, i32 %i
  %q = getelementptr [4 x i32], ptr @a_b, i32 0, i32 %i
  %x = load i32, ptr %p
  %y = load i32, ptr %q
  store i32 %x, ptr addrspace(1) %o
  %o2 = getelementptr i8, ptr addrspace(1) %o, i64 4
  store i32 %y, ptr addrspace(1) %o2
  ret void
}
attributes #0 = { "lathe.kernel" }
@conditions.table = internal constant [2 x <16 x i1>] [<16 x i1> <i1 1, i1 0, i1 1, i1 1, i1 1, i1 0, i1 1, i1 1, i1 1, i1 0, i1 1, i1 1, i1 1, i1 0, i1 1, i1 1>, <16 x i1> <i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 1>]
define void @conditions(ptr addrspace(1) %o, i32 %n) #0 {
  %i = and i32 %n, 3
  %p = getelementptr i8, ptr @conditions.table, i32 %i
  %x = load i8, ptr %p
  store i8 %x, ptr addrspace(1) %o
  ret void
}
