; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Phis of one sum that both predecessors compute: each block that uses it computes it by itself, with the flags that both
; have; for a loop it is computed before. A quotient stays a phi, and so do sums of different operands.
; RUN: %dump-after simplify -t cuda:sm_80 2>&1 | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; CHECK-LABEL: @sums(
; CHECK-NOT: phi
; CHECK: {{^}}third:
; CHECK-NEXT: store volatile i8 4
; CHECK-NEXT: %[[A:.*]] = add i32 %t, 384
; CHECK-NEXT: store volatile i32 %[[A]]
define void @sums(ptr %out, i32 %t, i32 %c, i32 %d) "lathe.kernel" {
  %isFirst = icmp eq i32 %c, 0
  br i1 %isFirst, label %first, label %second
first:
  store volatile i8 1, ptr %out
  %isOdd = trunc i32 %d to i1
  br i1 %isOdd, label %odd, label %even
odd:
  store volatile i8 7, ptr %out
  br label %even
even:
  %x = add nsw i32 %t, 384
  store volatile i32 %x, ptr %out
  br label %join
second:
  store volatile i16 2, ptr %out
  %y = add i32 %t, 384
  %wide = zext i32 %y to i64
  store volatile i64 %wide, ptr %out
  br label %join
join:
  %p = phi i32 [ %x, %even ], [ %y, %second ]
  store volatile i32 3, ptr %out
  %isThird = icmp eq i32 %d, 0
  br i1 %isThird, label %third, label %end
third:
  store volatile i8 4, ptr %out
  store volatile i32 %p, ptr %out
  br label %end
end:
  ret void
}

; CHECK-LABEL: @quotients(
; CHECK: phi i32 [ %x, %even ], [ %y, %second ]
define void @quotients(ptr %out, i32 %t, i32 %c, i32 %d) "lathe.kernel" {
  %isFirst = icmp eq i32 %c, 0
  br i1 %isFirst, label %first, label %second
first:
  store volatile i8 1, ptr %out
  %isOdd = trunc i32 %d to i1
  br i1 %isOdd, label %odd, label %even
odd:
  store volatile i8 7, ptr %out
  br label %even
even:
  %x = udiv i32 %t, %d
  store volatile i32 %x, ptr %out
  br label %join
second:
  store volatile i16 2, ptr %out
  %y = udiv i32 %t, %d
  %wide = zext i32 %y to i64
  store volatile i64 %wide, ptr %out
  br label %join
join:
  %p = phi i32 [ %x, %even ], [ %y, %second ]
  store volatile i32 3, ptr %out
  store volatile i32 %p, ptr %out
  ret void
}

; CHECK-LABEL: @others(
; CHECK: phi i32 [ %x, %even ], [ %y, %second ]
define void @others(ptr %out, i32 %t, i32 %c, i32 %d) "lathe.kernel" {
  %isFirst = icmp eq i32 %c, 0
  br i1 %isFirst, label %first, label %second
first:
  store volatile i8 1, ptr %out
  %isOdd = trunc i32 %d to i1
  br i1 %isOdd, label %odd, label %even
odd:
  store volatile i8 7, ptr %out
  br label %even
even:
  %x = sub i32 %t, %d
  store volatile i32 %x, ptr %out
  br label %join
second:
  store volatile i16 2, ptr %out
  %y = add i32 %t, %d
  %wide = zext i32 %y to i64
  store volatile i64 %wide, ptr %out
  br label %join
join:
  %p = phi i32 [ %x, %even ], [ %y, %second ]
  store volatile i32 3, ptr %out
  store volatile i32 %p, ptr %out
  ret void
}

; CHECK-LABEL: @before_loop(
; CHECK: {{^}}join:
; CHECK: add i32 %t, 384
; CHECK: {{^}}loop:
; CHECK-NOT: phi
; CHECK-NOT: add i32 %t, 384
; CHECK: {{^}}end:
define void @before_loop(ptr %out, i32 %t, i32 %c, i32 %d) "lathe.kernel" {
  %isFirst = icmp eq i32 %c, 0
  br i1 %isFirst, label %first, label %second
first:
  store volatile i8 1, ptr %out
  %isOdd = trunc i32 %d to i1
  br i1 %isOdd, label %odd, label %even
odd:
  store volatile i8 7, ptr %out
  br label %even
even:
  %x = add i32 %t, 384
  store volatile i32 %x, ptr %out
  br label %join
second:
  store volatile i16 2, ptr %out
  %y = add i32 %t, 384
  %wide = zext i32 %y to i64
  store volatile i64 %wide, ptr %out
  br label %join
join:
  %p = phi i32 [ %x, %even ], [ %y, %second ]
  store volatile i32 3, ptr %out
  br label %loop
loop:
  store volatile i32 %p, ptr %out
  %again = load volatile i32, ptr %out
  %isAgain = icmp eq i32 %again, 7
  br i1 %isAgain, label %loop, label %end
end:
  ret void
}
