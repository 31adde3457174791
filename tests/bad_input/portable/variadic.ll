; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; expect: takes a variable number of arguments
target triple = "nvptx64-nvidia-cuda"
define void @k(ptr %p, ...) "lathe.kernel" {
  store i32 1, ptr %p
  ret void
}
