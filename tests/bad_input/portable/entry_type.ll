; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; expect: '__lathe_item_id_x' is declared with another type than the device ABI's
target triple = "nvptx64-nvidia-cuda"
declare i64 @__lathe_item_id_x()
define void @k(ptr %out) "lathe.kernel" {
  %i = call i64 @__lathe_item_id_x()
  %p = getelementptr i32, ptr %out, i64 %i
  store i32 7, ptr %p
  ret void
}
