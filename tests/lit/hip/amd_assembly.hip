// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly of AMD's GPUs: LLVM's assembler for them reads it, with their constraints, also in templates, lambdas
// and functions for both sides. What it does not understand, and all of it elsewhere, is an error with a line.
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o - | FileCheck %s
// RUN: %compile %s -t amdgpu:gfx942 --emit ir -o - | FileCheck %s --check-prefix=IR
// RUN: %compile %s -t amdgpu:gfx942 -O0 -o %t.limg
// RUN: %compile %s -t amdgpu:gfx942 --emit portable -o %t.portable.limg && %lathe compile %t.portable.limg -t amdgpu:gfx942 -o %t.limg
// CHECK-LABEL: _Z5mixedPiPfPDv4_f:
// CHECK: s_nop 3
// CHECK: v_add_u32 v{{[0-9]+}}, v
// CHECK: v_xor_b32 [[X:v[0-9]+]], 1, [[X]]
// CHECK: global_load_dwordx4 v[{{[0-9]+}}:{{[0-9]+}}], v[{{[0-9]+}}:{{[0-9]+}}], off
// CHECK: s_waitcnt vmcnt(0)
// CHECK: v_mov_b32_dpp v{{[0-9]+}}, v{{[0-9]+}} row_shr:1
// CHECK: v_add_f32 v{{[0-9]+}}, v{{[0-9]+}}, s
// CHECK: v_readfirstlane_b32 [[S:s[0-9]+]], v
// CHECK: s_mov_b32 m0, [[S]]
// IR-DAG: asm "v_mul_f32 $0, $2, $1 ; and a word", "=&v,v,v,~{vcc},~{v7}"
// IR-DAG: asm sideeffect "v_mov_b32 $0, $1", "={v5},I"
// IR-DAG: asm sideeffect "s_mov_b64 $0, exec", "=s,~{s[4:5]},~{scc}"
// RUN: not %compile %s -t cuda:sm_90 -o %t.limg 2>&1 | FileCheck %s --check-prefix=ELSEWHERE -DTARGET=cuda:sm_90
// RUN: not %compile %s -t spirv -o %t.limg 2>&1 | FileCheck %s --check-prefix=ELSEWHERE -DTARGET=spirv:
// ELSEWHERE: amd_assembly.hip:[[#@LINE+21]]:{{.*}} error: inline assembly of AMD's GPUs ('v_add_u32') on [[TARGET]]
// ELSEWHERE-NOT: inline PTX
// ELSEWHERE: hint: guard it with the preprocessor (__AMDGCN__)
// RUN: not %compile %s -t amdgpu:gfx942 -DWRONG=1 -o %t.limg 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: amd_assembly.hip:[[#@LINE+47]]:{{.*}} error: inline assembly: invalid instruction: 'v_unheard_b32 v{{[0-9]+}}, 1'
// RUN: not %compile %s -t amdgpu:gfx942 -DWRONG=2 -o %t.limg 2>&1 | FileCheck %s --check-prefix=CONSTRAINT
// CONSTRAINT: amd_assembly.hip:[[#@LINE+47]]:{{.*}} error: invalid input constraint 'y' in asm
// RUN: not %compile %s -t amdgpu:gfx942 -DWRONG=3 -o %t.limg 2>&1 | FileCheck %s --check-prefix=CLOBBER
// CLOBBER: amd_assembly.hip:[[#@LINE+47]]:{{.*}} error: unknown register name 'q17' in asm
// RUN: not %compile %s -t amdgpu:gfx942 -DWRONG=4 -o %t.limg 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: amd_assembly.hip:[[#@LINE+47]]:{{.*}} error: inline assembly: invalid operand for inline asm constraint 'I'
// RUN: not %compile %s -t amdgpu:gfx942 -DWRONG=5 -o %t.limg 2>&1 | FileCheck %s --check-prefix=OPERAND
// OPERAND: amd_assembly.hip:[[#@LINE+47]]:{{.*}} error: invalid % escape in inline assembly string
// A comment is nothing elsewhere.
// RUN: %lathe run %s -t cpu -DCOMMENTS -k comments --grid 1 --group 4 --arg iota:i32[4] --print 0 | FileCheck %s --check-prefix=COMMENTS
// COMMENTS: i32[4]: 1 2 3 4
#include <hip/hip_runtime.h>
typedef float float4v __attribute__((ext_vector_type(4)));
#ifndef COMMENTS
__device__ int twice(int x) {
  int y;
  asm volatile("v_add_u32 %0, %1, %1" : "=v"(y) : "v"(x));
  return y;
}
template <class T>
__device__ T threefold(T x) {
  T y;
  asm("v_mul_f32 %0, %[by], %1 ; and a word" : "=&v"(y) : "v"(x), [by] "v"(3.0f) : "vcc", "v7");
  return y;
}
__host__ __device__ inline int flipped(int x) {
#ifdef __HIP_DEVICE_COMPILE__
  asm volatile("v_xor_b32 %0, 1, %0" : "+v"(x));
#endif
  return x;
}
__global__ void mixed(int* p, float* f, float4v* q) {
  const int i = threadIdx.x;
  asm volatile("s_nop 3");
  p[i] = flipped(twice(p[i]));
  f[i] = threefold(f[i]);
  float4v v;
  asm volatile("global_load_dwordx4 %0, %1, off\n\ts_waitcnt vmcnt(0)" : "=v"(v) : "v"(q + i) : "memory");
  q[i] = v + 1.0f;
  int before;
  asm("v_mov_b32_dpp %0, %1 row_shr:1" : "=v"(before) : "v"(i));
  [&] { asm volatile("v_add_f32 %0, %0, %1" : "+v"(f[i]) : "s"(2.0f)); }();
  asm volatile("v_mov_b32 %0, %1" : "={v5}"(p[64]) : "I"(5));
  asm volatile("s_mov_b64 %0, exec" : "=s"(*(long*)(p + 66)) : : "s[4:5]", "scc");
  asm volatile("s_mov_b32 m0, %0" : : "s"(__builtin_amdgcn_readfirstlane(p[i])) : "memory");
#if WRONG == 1
  asm volatile("v_unheard_b32 %0, 1" : "=v"(p[0]));
#elif WRONG == 2
  asm volatile("v_mov_b32 %0, %1" : "=v"(p[0]) : "y"(p[1]));
#elif WRONG == 3
  asm volatile("v_mov_b32 %0, 1" : "=v"(p[0]) : : "v1", "q17");
#elif WRONG == 4
  asm volatile("s_mov_b32 m0, %0" : : "I"(500));
#elif WRONG == 5
  asm volatile("v_mov_b32 %0, %2" : "=v"(p[0]) : "v"(p[1]));
#endif
  p[i] += before;
}
#else
__global__ void comments(int* p) {
  int x = p[threadIdx.x] + 1;
  asm volatile("; x is in %0" : "+v"(x));
  asm volatile("// nothing" ::: "memory");
  p[threadIdx.x] = x;
}
#endif
