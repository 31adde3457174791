; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; expect: is not portable
target datalayout = "E-p:32:32"
target triple = "nvptx64-nvidia-cuda"
define void @k(ptr %p) "lathe.kernel" {
  store i32 1, ptr %p
  ret void
}
