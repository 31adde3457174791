// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts of floating-point numbers to integers are the conversions that nvcc makes, one instruction each: those of 8 and
// 16 bits by way of 32. Where nvcc is installed it is asked.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.ptx %t.nvcc.ptx "(cvt\.rzi|setp|selp|min|max)[.\w]*" %}
// CHECK-LABEL: .entry float_uchar
// CHECK-NOT: {{setp|selp|max|min}}
// CHECK: cvt.rzi.u32.f32
// CHECK-NOT: {{setp|selp|max|min}}
// CHECK-LABEL: .entry float_schar
// CHECK: cvt.rzi.s32.f32
// CHECK-LABEL: .entry double_uchar
// CHECK-NOT: {{setp|selp|max|min}}
// CHECK: cvt.rzi.u32.f64
// CHECK-NOT: {{setp|selp|max|min}}
// CHECK-LABEL: .entry double_ushort
// CHECK: cvt.rzi.u32.f64
#define CAST(from, to, name) \
  extern "C" __global__ void from##_##name(const from* in, to* out) { out[threadIdx.x] = (to)in[threadIdx.x]; }
#define CASTS(from)             \
  CAST(from, unsigned char, uchar)   \
  CAST(from, signed char, schar)     \
  CAST(from, char, char)             \
  CAST(from, unsigned short, ushort) \
  CAST(from, short, short)           \
  CAST(from, unsigned, uint)         \
  CAST(from, int, int)               \
  CAST(from, unsigned long long, ull) \
  CAST(from, long long, ll)
CASTS(float)
CASTS(double)
