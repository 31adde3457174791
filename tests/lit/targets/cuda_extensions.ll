; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; An index that one access extends as a number with a sign and another as one that has none is extended once.
; RUN: %compile %s -t cuda:sm_90 -O3 --emit ptx -o - | FileCheck %s
; CHECK: .entry both(
; CHECK: mul.wide.s32
; CHECK-NOT: mul.wide
; CHECK: st.global.b32 [%rd[[AT:[0-9]+]]],
; CHECK: ld.global.b32 %r{{[0-9]+}}, [%rd[[AT]]+4];
; CHECK: ret;
define void @both(ptr addrspace(1) %out, i32 %i, i32 %x) "lathe.kernel" {
  %wide = zext nneg i32 %i to i64
  %first = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 %x, ptr addrspace(1) %first
  %j = add nsw i32 %i, 1
  %other = sext i32 %j to i64
  %second = getelementptr i32, ptr addrspace(1) %out, i64 %other
  %y = load i32, ptr addrspace(1) %second
  store volatile i32 %y, ptr addrspace(1) %out
  ret void
}
