; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; expect: returns a value
target triple = "nvptx64-nvidia-cuda"
define i32 @k(ptr %p) "lathe.kernel" {
  ret i32 1
}
