; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; expect: lives in address space 5
target triple = "nvptx64-nvidia-cuda"
@table = addrspace(5) global [4 x i32] zeroinitializer
define void @k(ptr %p) "lathe.kernel" {
  %v = load i32, ptr addrspace(5) @table
  store i32 %v, ptr %p
  ret void
}
