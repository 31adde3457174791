; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; expect: file-scope assembly
target triple = "nvptx64-nvidia-cuda"
module asm ".globl here"
define void @k(ptr %p) "lathe.kernel" {
  store i32 1, ptr %p
  ret void
}
