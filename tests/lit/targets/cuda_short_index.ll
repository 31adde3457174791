; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; An index with as few bits as it needs chooses among the elements that it can name.
; RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
; CHECK: .entry chosen(
; CHECK-COUNT-3: selp
; CHECK: st.global
define void @chosen(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) "lathe.kernel" {
  %vector = load volatile <8 x float>, ptr addrspace(1) %in
  %place = trunc i32 %n to i2
  %element = extractelement <8 x float> %vector, i2 %place
  store float %element, ptr addrspace(1) %out
  ret void
}
