// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD's builtins for floats of 8 bits are the instructions that Clang's own compiler for these GPUs selects, and an error with
// line and hint elsewhere.
//
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o - | FileCheck %s
// RUN: clang -x hip --offload-arch=gfx942 -nogpulib -nogpuinc --cuda-device-only -DBY_CLANG -O3 -S %s -o - | FileCheck %s
// RUN: not %compile %s -t cpu -o %t 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not %compile %s -t amdgpu:gfx90a -o %t 2>&1 | FileCheck %s --check-prefix=OLDER
#ifdef BY_CLANG
#define __global__ __attribute__((global))
#else
#include <hip/hip_runtime.h>
#endif

// CHECK-LABEL: to:
// CHECK-DAG: v_cvt_pk_fp8_f32
// CHECK-DAG: v_cvt_pk_bf8_f32 {{.*}} op_sel:[0,0,1]
// CHECK-DAG: v_cvt_sr_fp8_f32 {{.*}} op_sel:[0,0,0,1]
// CHECK-DAG: v_cvt_sr_bf8_f32
// CHECK: s_endpgm
// CPU: small_float_builtins.hip:[[#@LINE+5]]:{{[0-9]+}}: error: 'llvm.amdgcn.cvt.pk.fp8.f32', which other processors have
// CPU: hint: guard it with lathe::target_is
// OLDER: small_float_builtins.hip:[[#@LINE+6]]:{{[0-9]+}}: error: 'llvm.amdgcn.cvt.sr.bf8.f32' is no instruction of amdgpu:
// OLDER: hint: compile for a processor that has it
extern "C" __global__ void to(int* p, float x, float y) {
  const int two = __builtin_amdgcn_cvt_pk_fp8_f32(x, y, p[0], false);
  const int four = __builtin_amdgcn_cvt_pk_bf8_f32(x, y, p[1], true);
  const int random = __builtin_amdgcn_cvt_sr_fp8_f32(x, p[2], p[3], 2);
  p[0] = two + four + random + __builtin_amdgcn_cvt_sr_bf8_f32(y, p[4], p[5], 0);
}
// CHECK-LABEL: from:
// CHECK-DAG: v_cvt_f32_fp8_sdwa {{.*}} src0_sel:BYTE_3
// CHECK-DAG: v_cvt_f32_bf8
// CHECK-DAG: v_cvt_pk_f32_fp8
// CHECK-DAG: v_cvt_pk_f32_bf8_sdwa {{.*}} src0_sel:WORD_1
// CHECK: s_endpgm
extern "C" __global__ void from(const int* p, float* out) {
  const auto low = __builtin_amdgcn_cvt_pk_f32_fp8(p[0], false);
  const auto high = __builtin_amdgcn_cvt_pk_f32_bf8(p[1], true);
  out[0] = low[0] + low[1] * high[0] - high[1];
  out[1] = __builtin_amdgcn_cvt_f32_fp8(p[2], 3) * __builtin_amdgcn_cvt_f32_bf8(p[3], 0);
}
