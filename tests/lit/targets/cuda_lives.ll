; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; A block that keeps more numbers than a thread should have registers for: products and sums go up to the loads that
; they are made of. One that keeps few stays in its order.
; RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx
; RUN: FileCheck %s < %t.ptx

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; CHECK-LABEL: .entry many(
; CHECK: ld.global
; CHECK: fma.rn.f64
; CHECK-COUNT-10: ld.global
; CHECK-LABEL: .entry few(
; CHECK-COUNT-20: ld.global
; CHECK: fma.rn.f64
; CHECK-COUNT-9: fma.rn.f64
; CHECK-NOT: ld.global
define void @many(ptr noalias %in, ptr noalias %out, double %start) "lathe.kernel" {
  %p0 = getelementptr double, ptr %in, i64 0
  %x0 = load double, ptr %p0
  %p1 = getelementptr double, ptr %in, i64 3
  %x1 = load double, ptr %p1
  %p2 = getelementptr double, ptr %in, i64 6
  %x2 = load double, ptr %p2
  %p3 = getelementptr double, ptr %in, i64 9
  %x3 = load double, ptr %p3
  %p4 = getelementptr double, ptr %in, i64 12
  %x4 = load double, ptr %p4
  %p5 = getelementptr double, ptr %in, i64 15
  %x5 = load double, ptr %p5
  %p6 = getelementptr double, ptr %in, i64 18
  %x6 = load double, ptr %p6
  %p7 = getelementptr double, ptr %in, i64 21
  %x7 = load double, ptr %p7
  %p8 = getelementptr double, ptr %in, i64 24
  %x8 = load double, ptr %p8
  %p9 = getelementptr double, ptr %in, i64 27
  %x9 = load double, ptr %p9
  %p10 = getelementptr double, ptr %in, i64 30
  %x10 = load double, ptr %p10
  %p11 = getelementptr double, ptr %in, i64 33
  %x11 = load double, ptr %p11
  %p12 = getelementptr double, ptr %in, i64 36
  %x12 = load double, ptr %p12
  %p13 = getelementptr double, ptr %in, i64 39
  %x13 = load double, ptr %p13
  %p14 = getelementptr double, ptr %in, i64 42
  %x14 = load double, ptr %p14
  %p15 = getelementptr double, ptr %in, i64 45
  %x15 = load double, ptr %p15
  %p16 = getelementptr double, ptr %in, i64 48
  %x16 = load double, ptr %p16
  %p17 = getelementptr double, ptr %in, i64 51
  %x17 = load double, ptr %p17
  %p18 = getelementptr double, ptr %in, i64 54
  %x18 = load double, ptr %p18
  %p19 = getelementptr double, ptr %in, i64 57
  %x19 = load double, ptr %p19
  %p20 = getelementptr double, ptr %in, i64 60
  %x20 = load double, ptr %p20
  %p21 = getelementptr double, ptr %in, i64 63
  %x21 = load double, ptr %p21
  %p22 = getelementptr double, ptr %in, i64 66
  %x22 = load double, ptr %p22
  %p23 = getelementptr double, ptr %in, i64 69
  %x23 = load double, ptr %p23
  %p24 = getelementptr double, ptr %in, i64 72
  %x24 = load double, ptr %p24
  %p25 = getelementptr double, ptr %in, i64 75
  %x25 = load double, ptr %p25
  %p26 = getelementptr double, ptr %in, i64 78
  %x26 = load double, ptr %p26
  %p27 = getelementptr double, ptr %in, i64 81
  %x27 = load double, ptr %p27
  %p28 = getelementptr double, ptr %in, i64 84
  %x28 = load double, ptr %p28
  %p29 = getelementptr double, ptr %in, i64 87
  %x29 = load double, ptr %p29
  %p30 = getelementptr double, ptr %in, i64 90
  %x30 = load double, ptr %p30
  %p31 = getelementptr double, ptr %in, i64 93
  %x31 = load double, ptr %p31
  %p32 = getelementptr double, ptr %in, i64 96
  %x32 = load double, ptr %p32
  %p33 = getelementptr double, ptr %in, i64 99
  %x33 = load double, ptr %p33
  %p34 = getelementptr double, ptr %in, i64 102
  %x34 = load double, ptr %p34
  %p35 = getelementptr double, ptr %in, i64 105
  %x35 = load double, ptr %p35
  %p36 = getelementptr double, ptr %in, i64 108
  %x36 = load double, ptr %p36
  %p37 = getelementptr double, ptr %in, i64 111
  %x37 = load double, ptr %p37
  %p38 = getelementptr double, ptr %in, i64 114
  %x38 = load double, ptr %p38
  %p39 = getelementptr double, ptr %in, i64 117
  %x39 = load double, ptr %p39
  %m0 = fmul contract double %x0, %x1
  %s0 = fadd contract double %start, %m0
  %m1 = fmul contract double %x2, %x3
  %s1 = fadd contract double %s0, %m1
  %m2 = fmul contract double %x4, %x5
  %s2 = fadd contract double %s1, %m2
  %m3 = fmul contract double %x6, %x7
  %s3 = fadd contract double %s2, %m3
  %m4 = fmul contract double %x8, %x9
  %s4 = fadd contract double %s3, %m4
  %m5 = fmul contract double %x10, %x11
  %s5 = fadd contract double %s4, %m5
  %m6 = fmul contract double %x12, %x13
  %s6 = fadd contract double %s5, %m6
  %m7 = fmul contract double %x14, %x15
  %s7 = fadd contract double %s6, %m7
  %m8 = fmul contract double %x16, %x17
  %s8 = fadd contract double %s7, %m8
  %m9 = fmul contract double %x18, %x19
  %s9 = fadd contract double %s8, %m9
  %m10 = fmul contract double %x20, %x21
  %s10 = fadd contract double %s9, %m10
  %m11 = fmul contract double %x22, %x23
  %s11 = fadd contract double %s10, %m11
  %m12 = fmul contract double %x24, %x25
  %s12 = fadd contract double %s11, %m12
  %m13 = fmul contract double %x26, %x27
  %s13 = fadd contract double %s12, %m13
  %m14 = fmul contract double %x28, %x29
  %s14 = fadd contract double %s13, %m14
  %m15 = fmul contract double %x30, %x31
  %s15 = fadd contract double %s14, %m15
  %m16 = fmul contract double %x32, %x33
  %s16 = fadd contract double %s15, %m16
  %m17 = fmul contract double %x34, %x35
  %s17 = fadd contract double %s16, %m17
  %m18 = fmul contract double %x36, %x37
  %s18 = fadd contract double %s17, %m18
  %m19 = fmul contract double %x38, %x39
  %s19 = fadd contract double %s18, %m19
  store double %s19, ptr %out
  ret void
}
define void @few(ptr noalias %in, ptr noalias %out, double %start) "lathe.kernel" {
  %p0 = getelementptr double, ptr %in, i64 0
  %x0 = load double, ptr %p0
  %p1 = getelementptr double, ptr %in, i64 3
  %x1 = load double, ptr %p1
  %p2 = getelementptr double, ptr %in, i64 6
  %x2 = load double, ptr %p2
  %p3 = getelementptr double, ptr %in, i64 9
  %x3 = load double, ptr %p3
  %p4 = getelementptr double, ptr %in, i64 12
  %x4 = load double, ptr %p4
  %p5 = getelementptr double, ptr %in, i64 15
  %x5 = load double, ptr %p5
  %p6 = getelementptr double, ptr %in, i64 18
  %x6 = load double, ptr %p6
  %p7 = getelementptr double, ptr %in, i64 21
  %x7 = load double, ptr %p7
  %p8 = getelementptr double, ptr %in, i64 24
  %x8 = load double, ptr %p8
  %p9 = getelementptr double, ptr %in, i64 27
  %x9 = load double, ptr %p9
  %p10 = getelementptr double, ptr %in, i64 30
  %x10 = load double, ptr %p10
  %p11 = getelementptr double, ptr %in, i64 33
  %x11 = load double, ptr %p11
  %p12 = getelementptr double, ptr %in, i64 36
  %x12 = load double, ptr %p12
  %p13 = getelementptr double, ptr %in, i64 39
  %x13 = load double, ptr %p13
  %p14 = getelementptr double, ptr %in, i64 42
  %x14 = load double, ptr %p14
  %p15 = getelementptr double, ptr %in, i64 45
  %x15 = load double, ptr %p15
  %p16 = getelementptr double, ptr %in, i64 48
  %x16 = load double, ptr %p16
  %p17 = getelementptr double, ptr %in, i64 51
  %x17 = load double, ptr %p17
  %p18 = getelementptr double, ptr %in, i64 54
  %x18 = load double, ptr %p18
  %p19 = getelementptr double, ptr %in, i64 57
  %x19 = load double, ptr %p19
  %m0 = fmul contract double %x0, %x1
  %s0 = fadd contract double %start, %m0
  %m1 = fmul contract double %x2, %x3
  %s1 = fadd contract double %s0, %m1
  %m2 = fmul contract double %x4, %x5
  %s2 = fadd contract double %s1, %m2
  %m3 = fmul contract double %x6, %x7
  %s3 = fadd contract double %s2, %m3
  %m4 = fmul contract double %x8, %x9
  %s4 = fadd contract double %s3, %m4
  %m5 = fmul contract double %x10, %x11
  %s5 = fadd contract double %s4, %m5
  %m6 = fmul contract double %x12, %x13
  %s6 = fadd contract double %s5, %m6
  %m7 = fmul contract double %x14, %x15
  %s7 = fadd contract double %s6, %m7
  %m8 = fmul contract double %x16, %x17
  %s8 = fadd contract double %s7, %m8
  %m9 = fmul contract double %x18, %x19
  %s9 = fadd contract double %s8, %m9
  store double %s9, ptr %out
  ret void
}
