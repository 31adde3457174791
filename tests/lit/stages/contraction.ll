; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Contraction is a permission of single operations. Where it was not given, as in the error terms of math libraries,
; no back end may fuse, whatever the job says of the source.
;
; RUN: %compile %s -t amdgpu:gfx1100 --emit asm -o - | FileCheck %s --check-prefix=AMD
; RUN: %compile %s -t cuda:sm_80 --emit asm -o - | FileCheck %s --check-prefix=PTX
; RUN: %compile %s -t cuda:sm_80 --approximate-math --emit asm -o - | FileCheck %s --check-prefix=PTX
; RUN: %compile %s -t cuda:sm_80 --fast-math --emit asm -o - | FileCheck %s --check-prefix=PTX
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; AMD-LABEL: error_term:
; AMD-NOT: v_fma
; AMD: v_mul_f32
; AMD-NOT: v_fma
; AMD: v_{{.*}}sub_f32
; AMD-LABEL: contracted:
; AMD: v_fma
; PTX-LABEL: .entry error_term
; PTX-NOT: fma
; PTX: mul.rn.f32
; PTX-NOT: fma
; PTX: sub.rn.f32
; PTX-LABEL: .entry contracted
; PTX: fma.rn.f32
define void @error_term(float %x, float %y, float %z, ptr %out) #0 {
  %p = fmul float %x, %y
  %d = fsub float %z, %p
  store float %d, ptr %out
  ret void
}
define void @contracted(float %x, float %y, float %z, ptr %out) #0 {
  %p = fmul contract float %x, %y
  %d = fsub contract float %z, %p
  store float %d, ptr %out
  ret void
}
attributes #0 = { "lathe.kernel" }
