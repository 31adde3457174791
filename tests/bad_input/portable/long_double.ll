; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; expect: a value of type long double
target triple = "nvptx64-nvidia-cuda"
define void @k(ptr %p, double %x) "lathe.kernel" {
  %wide = fpext double %x to x86_fp80
  %sum = fadd x86_fp80 %wide, %wide
  %back = fptrunc x86_fp80 %sum to double
  store double %back, ptr %p
  ret void
}
