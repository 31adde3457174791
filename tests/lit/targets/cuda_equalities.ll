; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Equalities are compared as numbers with a sign, as NVIDIA's assembler likes loops to end.
; RUN: %compile %s -t cuda:sm_90 -O0 --emit ptx -o - | FileCheck %s --check-prefix=PLAIN
; RUN: %compile %s -t cuda:sm_90 -O3 --emit ptx -o - | FileCheck %s --implicit-check-not='setp.{{eq|ne}}.b{{[0-9]}}'
; PLAIN: setp.ne.b32
; CHECK: .entry counted(
; CHECK: setp.ne.s32
; CHECK: .entry wide(
; CHECK: setp.{{eq|ne}}.s64
; CHECK: .entry narrow(
; CHECK: setp.{{eq|neu}}.bf16
; CHECK: ret;
define void @counted(ptr addrspace(1) %out, i32 %n) "lathe.kernel" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add i32 %i, 4
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
define void @wide(ptr addrspace(1) %out, i64 %n) "lathe.kernel" {
  %is = icmp eq i64 %n, 7
  %as = zext i1 %is to i32
  store i32 %as, ptr addrspace(1) %out
  ret void
}
define void @narrow(ptr addrspace(1) %out, bfloat %x, bfloat %y) "lathe.kernel" {
  %is = fcmp oeq bfloat %x, %y
  %as = zext i1 %is to i32
  store i32 %as, ptr addrspace(1) %out
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
