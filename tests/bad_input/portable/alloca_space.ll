; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; expect: an alloca in address space 5
target triple = "nvptx64-nvidia-cuda"
define void @k(ptr %p) "lathe.kernel" {
  %slot = alloca i32, addrspace(5)
  %v = load i32, ptr addrspace(5) %slot
  store i32 %v, ptr %p
  ret void
}
