; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; expect: is thread_local
target triple = "nvptx64-nvidia-cuda"
@own = thread_local global i32 0
define void @k(ptr %p) "lathe.kernel" {
  %v = load i32, ptr @own
  store i32 %v, ptr %p
  ret void
}
