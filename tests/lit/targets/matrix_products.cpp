// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices are one instruction for each that the hardware needs, at every level, and stay where all items of
// the subgroup are, although only some use the result.
//
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s --check-prefix=SM80 < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cuda:sm_75 --emit ptx -o - | FileCheck %s --check-prefix=SM75
// RUN: %compile %s -t cuda:sm_75 -O0 --emit ptx -o - | FileCheck %s --check-prefix=SM75-O0
// RUN: %compile %s -t cuda:sm_60 --emit ptx -o - | FileCheck %s --check-prefix=SM60
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o - | FileCheck %s --check-prefix=CDNA3
// RUN: %compile %s -t amdgpu:gfx90a --emit asm -o - | FileCheck %s --check-prefix=CDNA2
// RUN: %compile %s -t amdgpu:gfx1100 --emit asm -o - | FileCheck %s --check-prefix=RDNA3
// RUN: %compile %s -t amdgpu:gfx1201 --emit asm -o - | FileCheck %s --check-prefix=RDNA4
// RUN: %compile %s -t amdgpu:gfx1030 --emit asm -o - | FileCheck %s --check-prefix=RDNA2
// RUN: not %compile %s -t spirv:spv1.4-sg16 -k halves -o %t.no 2>&1 | FileCheck %s --check-prefix=NARROW
#include <lathe/device.h>
#include <lathe/device/matrix.h>

// NARROW: error: matrix_{{.*}} does not exist on spirv:spv1.4-sg16

template <class T, class Sum>
LATHE_INLINE void product(const typename lathe::matrix_a<T>::element* left,
                          const typename lathe::matrix_a<T>::element* right, Sum* out, bool wanted) {
  lathe::matrix_a<T> a;
  lathe::matrix_b<T> b;
  lathe::accumulator<Sum> sums;
  a.load(left, lathe::matrix_a<T>::columns);
  b.load(right, lathe::matrix_a<T>::columns, lathe::matrix_layout::columns);
  lathe::multiply_add(sums, a, b);
  if (wanted) sums.store(out, 16);
}

// SM80-LABEL: .entry halves
// SM80-COUNT-8: ld.global{{(.nc)?}}.b32
// SM80-COUNT-2: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// SM80-NOT: mma.sync
// SM80: bra
// SM75-LABEL: .entry halves
// SM75-COUNT-4: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
// SM75-NOT: mma.sync
// SM75-O0: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
// SM75-O0-NOT: m16n8k16
// SM60-NOT: mma.sync
// CDNA3-LABEL: halves:
// CDNA3-COUNT-1: v_mfma_f32_16x16x16_f16
// CDNA3-NOT: v_mfma_f32_16x16x16_f16
// RDNA3-LABEL: halves:
// RDNA3-COUNT-1: v_wmma_f32_16x16x16_f16
// RDNA3-NOT: v_wmma_f32_16x16x16_f16
// RDNA4-LABEL: halves:
// RDNA4-NOT: permlane
// RDNA4-COUNT-1: v_wmma_f32_16x16x16_f16
// RDNA4-NOT: v_wmma_f32_16x16x16_f16
// RDNA2-NOT: wmma
extern "C" LATHE_KERNEL void halves(const _Float16* left, const _Float16* right, float* out, unsigned limit) {
  product<_Float16>(left, right, out, lathe::item_id().x < limit);
}

// SM80-LABEL: .entry floats
// SM80-COUNT-2: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// SM80-NOT: mma.sync
// CDNA3-LABEL: floats:
// CDNA3-COUNT-2: v_mfma_f32_16x16x4_f32
// CDNA3-NOT: v_mfma_f32_16x16x4_f32
// RDNA4-LABEL: floats:
// RDNA4-NOT: v_wmma
// RDNA4: s_endpgm
extern "C" LATHE_KERNEL void floats(const float* left, const float* right, float* out, unsigned limit) {
  product<lathe::tf32>(left, right, out, lathe::item_id().x < limit);
}

// SM80-LABEL: .entry bytes
// SM80-COUNT-2: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
// SM80-NOT: mma.sync
// CDNA3-LABEL: bytes:
// CDNA3-COUNT-1: v_mfma_i32_16x16x32_i8
// CDNA3-NOT: v_mfma_i32
// CDNA2-LABEL: bytes:
// CDNA2-COUNT-2: v_mfma_i32_16x16x16i8
// CDNA2-NOT: v_mfma_i32
// RDNA3-LABEL: bytes:
// RDNA3-COUNT-2: v_wmma_i32_16x16x16_iu8 {{.*}}neg_lo:[1,1,0]
// RDNA3-NOT: v_wmma_i32
// RDNA4-LABEL: bytes:
// RDNA4-COUNT-2: v_wmma_i32_16x16x16_iu8 {{.*}}neg_lo:[1,1,0]
// RDNA4-NOT: v_wmma_i32
extern "C" LATHE_KERNEL void bytes(const signed char* left, const signed char* right, int* out, unsigned limit) {
  product<signed char>(left, right, out, lathe::item_id().x < limit);
}
