; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; expect: needs a constructor
target triple = "nvptx64-nvidia-cuda"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]
define internal void @start() {
  ret void
}
define void @k(ptr %p) "lathe.kernel" {
  store i32 1, ptr %p
  ret void
}
