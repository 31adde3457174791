; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; A counter of four iterations at a time counts down to zero, and behind the loop its value is the bound; one that the
; loop needs for an address, or that may end elsewhere, counts up.
; RUN: %compile %s -t cuda:sm_90 -O0 --emit ptx -o - | FileCheck %s --check-prefix=PLAIN
; RUN: %compile %s -t cuda:sm_90 -O3 --emit ptx -o - | FileCheck %s
; PLAIN: .entry counted(
; PLAIN: add.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 4;
; CHECK: .entry counted(
; CHECK: add.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, -4;
; CHECK: setp.ne.s32 %p{{[0-9]+}}, %r{{[0-9]+}}, 0;
; CHECK: .entry stored(
; CHECK: add.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 4;
; CHECK-NOT: -4;
; CHECK: ret;
define void @counted(ptr addrspace(1) %out, i32 %n) "lathe.kernel" {
entry:
  %bound = and i32 %n, 1073741820
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 7, ptr addrspace(1) %out
  %next = add i32 %i, 4
  %more = icmp ne i32 %next, %bound
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  store i32 %next, ptr addrspace(1) %out
  ret void
}
define void @stored(ptr addrspace(1) %out, i32 %n) "lathe.kernel" {
entry:
  %bound = and i32 %n, 1073741820
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add i32 %i, 4
  %more = icmp ne i32 %next, %bound
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
