; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Addresses that three blocks share, one of which is where three others, in blocks behind it, count from.
; RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
; CHECK: .entry nested(
; CHECK: add.s64 [[OUTER:%rd[0-9]+]],
; CHECK: add.s64 [[INNER:%rd[0-9]+]], [[OUTER]],
; CHECK-DAG: st.volatile.global.b8 {{\[}}[[INNER]]], 1;
; CHECK-DAG: st.volatile.global.b16 {{\[}}[[INNER]]], 2;
; CHECK-DAG: st.volatile.global.b8 {{\[}}[[OUTER]]], 4;
define void @nested(ptr addrspace(1) %out, ptr addrspace(1) %a, i32 %n, i32 %i, i32 %j, i32 %s) #0 {
entry:
  switch i32 %n, label %end [ i32 0, label %A
   i32 1, label %B
   i32 2, label %C ]
A:
  %ea = sext i32 %i to i64
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %ea
  switch i32 %s, label %end [ i32 0, label %U
   i32 1, label %V
   i32 2, label %W ]
U:
  %j0 = sext i32 %j to i64
  %q0 = getelementptr float, ptr addrspace(1) %pa, i64 %j0
  store volatile i8 1, ptr addrspace(1) %q0
  br label %end
V:
  %j1 = sext i32 %j to i64
  %q1 = getelementptr float, ptr addrspace(1) %pa, i64 %j1
  store volatile i16 2, ptr addrspace(1) %q1
  br label %end
W:
  %j2 = sext i32 %j to i64
  %q2 = getelementptr float, ptr addrspace(1) %pa, i64 %j2
  store volatile i64 3, ptr addrspace(1) %q2
  br label %end
B:
  %eb = sext i32 %i to i64
  %pb = getelementptr float, ptr addrspace(1) %a, i64 %eb
  store volatile i8 4, ptr addrspace(1) %pb
  br label %end
C:
  %ec = sext i32 %i to i64
  %pc = getelementptr float, ptr addrspace(1) %a, i64 %ec
  store volatile i16 5, ptr addrspace(1) %pc
  br label %end
end:
  ret void
}
attributes #0 = { "lathe.kernel" }
