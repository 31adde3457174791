// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::wmma on AMD GPUs with matrix instructions: MFMA on CDNA, with both warps of a wave or with lanes switched on, WMMA on RDNA.
// What came out is LLVM's disassembly; values are those of the conformance case of these tiles.
// RUN: %compile %s -t amdgpu:gfx90a --emit hsaco -o %t.90a && llvm-objdump -d %t.90a | FileCheck %s --check-prefixes=CDNA,CDNA2
// RUN: %compile %s -t amdgpu:gfx942 --emit hsaco -o %t.942 && llvm-objdump -d %t.942 | FileCheck %s --check-prefixes=CDNA,CDNA3
// RUN: %compile %s -t amdgpu:gfx942 -O0 --emit hsaco -o %t.942 && llvm-objdump -d %t.942 | FileCheck %s --check-prefix=PLAIN
// RUN: %compile %s -t amdgpu:gfx1100 --emit hsaco -o %t.1100 && llvm-objdump -d %t.1100 | FileCheck %s --check-prefix=RDNA
// RUN: %compile %s -t amdgpu:gfx1201 --emit hsaco -o %t.1201 && llvm-objdump -d %t.1201 | FileCheck %s --check-prefix=RDNA
// RUN: %compile %s -t amdgpu:gfx1030 --emit hsaco -o %t.1030 && llvm-objdump -d %t.1030 | FileCheck %s --check-prefix=NONE
// NONE-NOT: v_{{mfma|wmma}}
#include <mma.h>
using namespace nvcuda;

template <class In, class Out, int K = 16, class Element = In>
__device__ void multiply(const Element* a, const Element* b, Out* c, bool saturates = false) {
  wmma::fragment<wmma::matrix_a, 16, 16, K, In, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, K, In, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, K, Out> sum;
  wmma::load_matrix_sync(sum, c, 16, wmma::mem_row_major);
  wmma::load_matrix_sync(left, a, K);
  wmma::load_matrix_sync(right, b, K);
  wmma::mma_sync(sum, left, right, sum, saturates);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

// A product of each warp where both are here, and of one alone.
// CDNA-LABEL: <halves>:
// CDNA-COUNT-4: v_mfma_f32_16x16x16{{_?}}f16
// CDNA-NOT: v_mfma
// PLAIN-COUNT-4: v_mfma_f32_16x16x16_f16
// RDNA-LABEL: <halves>:
// RDNA-COUNT-1: v_wmma_f32_16x16x16_f16
// RDNA-NOT: v_wmma
extern "C" __global__ void halves(const __half* a, const __half* b, float* c) {
  multiply<__half, float>(a, b, c);
}
// CDNA-LABEL: <bfloats>:
// CDNA: v_mfma_f32_16x16x16{{_?}}bf16
// RDNA-LABEL: <bfloats>:
// RDNA: v_wmma_f32_16x16x16_bf16
extern "C" __global__ void bfloats(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  multiply<__nv_bfloat16, float>(a, b, c);
}
// CDNA-LABEL: <bytes>:
// CDNA2: v_mfma_i32_16x16x16{{_?}}i8
// CDNA3: v_mfma_i32_16x16x32_i8
// RDNA-LABEL: <bytes>:
// RDNA: v_wmma_i32_16x16x16_iu8
extern "C" __global__ void bytes(const signed char* a, const signed char* b, int* c) {
  multiply<signed char, int>(a, b, c, true);
}
// Three products of signed bytes for each.
// CDNA-LABEL: <unsigned_bytes>:
// CDNA-COUNT-12: v_mfma_i32
extern "C" __global__ void unsigned_bytes(const unsigned char* a, const unsigned char* b, int* c) {
  multiply<unsigned char, int>(a, b, c);
}
// Two steps of four elements; RDNA has no such instruction.
// CDNA-LABEL: <floats>:
// CDNA-COUNT-8: v_mfma_f32_16x16x4{{_?}}f32
// RDNA-LABEL: <floats>:
// RDNA-NOT: v_wmma
extern "C" __global__ void floats(const float* a, const float* b, float* c) {
  multiply<wmma::precision::tf32, float, 8, float>(a, b, c);
}
