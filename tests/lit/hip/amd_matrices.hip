// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix instructions of AMD's processors by Clang's names of them: `mfma` on CDNA, `wmma` on RDNA in the form of each
// generation. What came out is LLVM's disassembly; the emulated library is not relied on for their values.
// RUN: %compile %s -t amdgpu:gfx942 --emit hsaco -o %t.942 && llvm-objdump -d %t.942 | FileCheck %s --check-prefix=CDNA3
// RUN: %compile %s -t amdgpu:gfx90a --emit hsaco -o %t.90a && llvm-objdump -d %t.90a | FileCheck %s --check-prefix=CDNA2
// RUN: %compile %s -t amdgpu:gfx1100 --emit hsaco -o %t.1100 && llvm-objdump -d %t.1100 | FileCheck %s --check-prefix=RDNA3
// RUN: %compile %s -t amdgpu:gfx1201 --emit hsaco -o %t.1201 && llvm-objdump -d %t.1201 | FileCheck %s --check-prefix=RDNA4
// RUN: %compile %s -t amdgpu:gfx942 -O0 -o %t.limg
// RUN: not %compile %s -DELSEWHERE -t cpu -o %t.limg 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: not %compile %s -DELSEWHERE -t amdgpu:gfx1030 -o %t.limg 2>&1 | FileCheck %s --check-prefix=OLD
#include <hip/hip_runtime.h>

template <class T, int n>
using Vector = __attribute__((ext_vector_type(n))) T;

#if defined(__gfx942__) || defined(__gfx90a__)
// CDNA2-LABEL: <_Z5smallPf>:
// CDNA2: v_mfma_f32_4x4x1
// CDNA2: v_mfma_f32_32x32x4{{.*}}f16
// CDNA2: v_mfma_f64_4x4x4
// CDNA2: v_mfma_i32_16x16x4
__global__ void small(float* p) {
  Vector<float, 4> a = {p[0], p[1], p[2], p[3]};
  a = __builtin_amdgcn_mfma_f32_4x4x1f32(p[4], p[5], a, 0, 0, 0);
  Vector<_Float16, 4> h = {_Float16(a[0]), _Float16(a[1]), _Float16(a[2]), _Float16(a[3])};
  Vector<float, 32> b = {};
  b = __builtin_amdgcn_mfma_f32_32x32x4f16(h, h, b, 0, 0, 0);
  const double d = __builtin_amdgcn_mfma_f64_4x4x4f64(b[0], b[1], b[2], 0, 0, 0);
  Vector<int, 16> c = {};
  c = __builtin_amdgcn_mfma_i32_16x16x4i8(int(d), int(b[3]), c, 0, 0, 0);
  p[threadIdx.x] = float(c[threadIdx.x % 16]) + b[5];
}
#endif
#ifdef __gfx942__
// CDNA3-LABEL: <_Z6eightsPlPf>:
// CDNA3: v_mfma_i32_16x16x32_i8
// CDNA3: v_mfma_f32_32x32x16_fp8_bf8
__global__ void eights(long* p, float* out) {
  Vector<int, 4> a = {};
  a = __builtin_amdgcn_mfma_i32_16x16x32_i8(p[0], p[1], a, 0, 0, 0);
  Vector<float, 16> b = {float(a[0])};
  b = __builtin_amdgcn_mfma_f32_32x32x16_fp8_bf8(p[2], p[3], b, 0, 0, 0);
  out[threadIdx.x] = b[threadIdx.x % 16];
}
#endif
#ifdef __gfx1100__
// RDNA3-LABEL: <_Z5wavesPf>:
// RDNA3: v_wmma_f32_16x16x16_f16
// RDNA3: v_wmma_f32_16x16x16_bf16
// RDNA3: v_wmma_i32_16x16x16_iu8
__global__ void waves(float* p) {
  Vector<float, 8> sums = {};
  Vector<_Float16, 16> h = {};
  h[threadIdx.x % 16] = _Float16(p[threadIdx.x]);
  sums = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(h, h, sums);
  Vector<short, 16> s = {short(sums[0])};
  sums = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(s, s, sums);
  Vector<int, 8> whole = {int(sums[0])};
  const Vector<int, 4> bytes = {int(sums[1]), int(sums[2]), 3, 4};
  whole = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, bytes, false, bytes, whole, false);
  p[threadIdx.x] = float(whole[threadIdx.x % 8]);
}
#endif
#ifdef __gfx1201__
// RDNA4-LABEL: <_Z5wavesPf>:
// RDNA4: v_wmma_f32_16x16x16_f16
// RDNA4: v_wmma_f32_16x16x16_fp8_fp8
// RDNA4: v_wmma_i32_16x16x16_iu8
__global__ void waves(float* p) {
  Vector<float, 8> sums = {};
  Vector<_Float16, 8> h = {};
  h[threadIdx.x % 8] = _Float16(p[threadIdx.x]);
  sums = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(h, h, sums);
  const Vector<int, 2> bytes = {int(sums[1]), int(sums[2])};
  sums = __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(bytes, bytes, sums);
  Vector<int, 8> whole = {int(sums[0])};
  whole = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, bytes, false, bytes, whole, false);
  p[threadIdx.x] = float(whole[threadIdx.x % 8]);
}
#endif
#ifdef ELSEWHERE
// ELSEWHERE: amd_matrices.hip:[[#@LINE+6]]:{{.*}} error: {{.*}}'llvm.amdgcn.mfma.f32.4x4x1f32', which other processors have, on
// ELSEWHERE: hint: guard it with lathe::target_is(…) or the preprocessor
// A processor of the same maker that lacks them is told of by LLVM's selection.
// OLD: error: {{.*}}mfma
__global__ void elsewhere(float* p) {
  Vector<float, 4> a = {p[0], p[1], p[2], p[3]};
  a = __builtin_amdgcn_mfma_f32_4x4x1f32(p[4], p[5], a, 0, 0, 0);
  p[6] = a[0];
}
#endif
