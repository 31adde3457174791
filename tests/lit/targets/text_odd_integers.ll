; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Vectors of conditions that are compared as one integer, which LLVM's SLP vectoriser makes, become bytes in text.
;
; RUN: %compile %s -x ir -t opencl-c --emit cl -o - | FileCheck %s
; CHECK: kernel void conditions(
; CHECK: uchar
define void @conditions(ptr %p) "lathe.kernel" {
  %first = load i32, ptr %p
  %at = getelementptr i32, ptr %p, i64 1
  %second = load i32, ptr %at
  %one = insertelement <2 x i32> poison, i32 %first, i32 0
  %both = insertelement <2 x i32> %one, i32 %second, i32 1
  %less = icmp slt <2 x i32> %both, splat (i32 7)
  %bits = bitcast <2 x i1> %less to i2
  %none = icmp eq i2 %bits, 0
  %out = zext i1 %none to i32
  store i32 %out, ptr %p
  ret void
}
