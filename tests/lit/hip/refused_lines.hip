// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builtins that only AMD GPUs have, one of each kind, are errors with line and hint on every other target, also where the
// optimiser moves or merges the calls and drops their lines. clang for AMD's triple takes the same source.
//
// RUN: not %compile %s -t cpu -o %t 2>&1 | FileCheck %s --implicit-check-not='{{^}}error: {{.}}llvm'
// RUN: not %compile %s -t cuda -o %t 2>&1 | FileCheck %s --implicit-check-not='{{^}}error: {{.}}llvm'
// RUN: not %compile %s -t spirv -o %t 2>&1 | FileCheck %s --implicit-check-not='{{^}}error: {{.}}llvm'
// RUN: not %compile %s -t metal -o %t 2>&1 | FileCheck %s --implicit-check-not='{{^}}error: {{.}}llvm'
// RUN: not %compile %s -t opencl-c -o %t 2>&1 | FileCheck %s --implicit-check-not='{{^}}error: {{.}}llvm'
// RUN: not %compile %s -t cpu -O 0 -o %t 2>&1 | FileCheck %s --implicit-check-not='{{^}}error: {{.}}llvm'
// RUN: %compile %s -t amdgpu:gfx942 -o %t
// RUN: clang-22 -x hip --offload-arch=gfx942 --offload-device-only -nogpuinc -nogpulib -c %s -o %t.o
//
// Those that Lathe does not know have a hint too, on AMD GPUs as elsewhere.
// RUN: not %compile %s -t cpu -D UNKNOWN -o %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %compile %s -t amdgpu:gfx942 -D UNKNOWN -o %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
#ifndef __global__
#define __global__ __attribute__((global))
#endif
typedef float f4 __attribute__((ext_vector_type(4)));

#ifdef UNKNOWN
__global__ void unknown(int* p) {
  // UNKNOWN: refused_lines.hip:[[#@LINE+2]]:{{[0-9]+}}: error: use of undeclared identifier '__builtin_amdgcn_is_shared'
  // UNKNOWN: hint: docs/hip.md says which of AMD's builtins there are
  p[0] = __builtin_amdgcn_is_shared(p);
}
#else
__global__ void dpp(int* p) {
  // CHECK-DAG: refused_lines.hip:[[#@LINE+1]]:{{[0-9]+}}: error: 'llvm.amdgcn.mov.dpp.i32', which other processors have, on
  p[0] = __builtin_amdgcn_mov_dpp(p[0], 0x101, 0xf, 0xf, true);
}
__global__ void update(int* p) {
  // CHECK-DAG: refused_lines.hip:[[#@LINE+1]]:{{[0-9]+}}: error: 'llvm.amdgcn.update.dpp.i32', which other processors have, on
  p[0] = __builtin_amdgcn_update_dpp(1, 2, 0x101, 0xf, 0xf, true);
}
__global__ void swizzle(int* p) {
  // CHECK-DAG: refused_lines.hip:[[#@LINE+1]]:{{[0-9]+}}: error: 'llvm.amdgcn.ds.swizzle', which other processors have, on
  for (int i = 0; i < 8; ++i) p[i] = __builtin_amdgcn_ds_swizzle(7, 0x101f);
}
__global__ void permute(int* p) {
  // CHECK-DAG: refused_lines.hip:[[#@LINE+1]]:{{[0-9]+}}: error: 'llvm.amdgcn.ds.permute', which other processors have, on
  p[0] = __builtin_amdgcn_ds_permute(4, p[0]);
}
__global__ void bytes(unsigned* p, unsigned a) {
  // CHECK-DAG: refused_lines.hip:[[#@LINE+1]]:{{[0-9]+}}: error: 'llvm.amdgcn.sad.u8', which other processors have, on
  for (unsigned i = 0; i < 8; ++i) p[i] = __builtin_amdgcn_sad_u8(a, 1, 2);
  // CHECK-DAG: refused_lines.hip:[[#@LINE+1]]:{{[0-9]+}}: error: 'llvm.amdgcn.lerp', which other processors have, on
  p[9] = __builtin_amdgcn_lerp(a, 1, 2);
}
__global__ void merged(unsigned* p, unsigned a) {
  // CHECK-DAG: refused_lines.hip:[[#@LINE+2]]:{{[0-9]+}}: error: 'llvm.amdgcn.msad.u8', which other processors have, on
  if (p[0] > 4)
    p[1] = __builtin_amdgcn_msad_u8(a, 1, 2) + 1;
  else
    p[2] = __builtin_amdgcn_msad_u8(a, 1, 2) + 2;
}
__global__ void converted(float* p, int* q) {
  // CHECK-DAG: refused_lines.hip:[[#@LINE+1]]:{{[0-9]+}}: error: 'llvm.amdgcn.cvt.pkrtz', which other processors have, on
  auto const h = __builtin_amdgcn_cvt_pkrtz(1.0f, 2.0f);
  p[0] = static_cast<float>(h[1]);
  // CHECK-DAG: refused_lines.hip:[[#@LINE+1]]:{{[0-9]+}}: error: 'llvm.amdgcn.cvt.pk.fp8.f32', which other processors have, on
  q[0] = __builtin_amdgcn_cvt_pk_fp8_f32(1.0f, 2.0f, 0, false);
  // CHECK-DAG: refused_lines.hip:[[#@LINE+1]]:{{[0-9]+}}: error: 'llvm.amdgcn.cvt.f32.bf8', which other processors have, on
  p[1] = __builtin_amdgcn_cvt_f32_bf8(q[1], 0);
}
__global__ void matrix(float* p) {
  f4 v = {p[0], p[1], p[2], p[3]};
  // CHECK-DAG: refused_lines.hip:[[#@LINE+1]]:{{[0-9]+}}: error: 'llvm.amdgcn.mfma.f32.4x4x1f32', which other processors have, on
  v = __builtin_amdgcn_mfma_f32_4x4x1f32(1.0f, 2.0f, v, 0, 0, 0);
  p[0] = v[0];
}
__global__ void registers(int* p) {
  // CHECK-DAG: refused_lines.hip:[[#@LINE+1]]:{{[0-9]+}}: error: 'llvm.amdgcn.s.getreg', which other processors have, on
  p[0] = __builtin_amdgcn_s_getreg(1);
}
// CHECK: hint: guard it with lathe::target_is
#endif
