// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions for the memory of an address, conversions between spaces, and products of bits: the instructions that CUDA's functions
// stand for, as the assembler takes them.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
#include <mma.h>

// CHECK-LABEL: .entry {{.*}}spaces
// CHECK-DAG: isspacep.global
// CHECK-DAG: isspacep.shared %
// CHECK-DAG: isspacep.const
// CHECK-DAG: isspacep.local
// CHECK-DAG: isspacep.param
// CHECK-DAG: isspacep.shared::cluster
__global__ void spaces(unsigned* out, const void* const* place) {
  const void* const any = *place;
  out[0] = __isGlobal(any);
  out[1] = __isShared(any);
  out[2] = __isConstant(any);
  out[3] = __isLocal(any);
  out[4] = __isGridConstant(any);
  out[5] = __isClusterShared(any);
  out[6] = __isCtaShared(any);
}

// Answers that are known cost nothing.
// CHECK-LABEL: .entry {{.*}}known
// CHECK-NOT: isspacep
__global__ void known(unsigned* out) {
  __shared__ unsigned words[32];
  unsigned own[8];
  words[threadIdx.x] = own[threadIdx.x % 8] = out[threadIdx.x];
  out[threadIdx.x] = __isShared(words + 7) ? words[threadIdx.x ^ 1] : own[out[32] % 8];
}

// CHECK-LABEL: .entry {{.*}}converted
// CHECK-DAG: cvta.to.local.u64
// CHECK-DAG: cvta.local.u64
// CHECK-DAG: cvta.to.const.u64
// CHECK-DAG: cvta.const.u64
// CHECK-DAG: cvta.to.param.u64
// CHECK-DAG: cvta.param.u64
__global__ void converted(unsigned long* out, const void* any, unsigned long there) {
  out[0] = __cvta_generic_to_local(any);
  out[1] = __cvta_generic_to_constant(any);
  out[2] = __cvta_generic_to_grid_constant(any);
  out[3] = reinterpret_cast<unsigned long>(__cvta_local_to_generic(there));
  out[4] = reinterpret_cast<unsigned long>(__cvta_constant_to_generic(there));
  out[5] = reinterpret_cast<unsigned long>(__cvta_grid_constant_to_generic(there));
  out[6] = reinterpret_cast<unsigned long>(__nv_associate_access_property(any, 1));
}

// CHECK-LABEL: .entry {{.*}}bits
// CHECK: wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32
__global__ void bits(const unsigned* a, const unsigned* b, int* c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> left;
  fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> right;
  fragment<accumulator, 8, 8, 128, int> sum;
  fill_fragment(sum, 0);
  load_matrix_sync(left, a, 128);
  load_matrix_sync(right, b, 128);
  bmma_sync(sum, left, right, sum);
  store_matrix_sync(c, sum, 8, mem_row_major);
}
