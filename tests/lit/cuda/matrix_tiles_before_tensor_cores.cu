// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles where the architecture has no instructions for them: as on other targets, over the lanes. And sums that are kept
// within the range of finite values, on request.
// RUN: %compile %s -t cuda:sm_60 --emit ptx -o %t.60.ptx && FileCheck %s --check-prefix=NONE < %t.60.ptx
// RUN: %compile %s -t cuda:sm_60 -O0 --emit ptx -o %t.0.ptx && FileCheck %s --check-prefix=NONE < %t.0.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_75 %t.60.ptx -o %t.cubin %}
// NONE-NOT: wmma
// RUN: %compile %s -t cuda:sm_70 --emit ptx -o %t.70.ptx && FileCheck %s --check-prefix=HALVES < %t.70.ptx
// HALVES-NOT: s32.s8
// HALVES: wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32
// HALVES-NOT: s32.s8
// RUN: %compile %s -t cuda:sm_75 --emit ptx -o %t.75.ptx && FileCheck %s --check-prefix=BOTH < %t.75.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_75 %t.75.ptx -o %t.cubin %}
// BOTH-DAG: wmma.mma.sync.aligned.row.row.m16n16k16.s32.s8.s8.s32.satfinite
// BOTH-DAG: wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32
// RUN: %lathe run %s -t cpu --grid 1 --group 32 -k bytes --arg zeros:i32[256] --print 0:3 | FileCheck %s --check-prefix=SUMS
// SUMS: 2147483647 -2147483648 2147483647
// RUN: %lathe run %s -t cpu --grid 1 --group 32 -k halves --arg zeros:f32[256] --print 0:3 | FileCheck %s --check-prefix=FINITE
// FINITE: 3.4028235e+38 0 -3.4028235e+38
// Those of bfloat16 share accumulators with halves, and have no instructions before sm_80.
// RUN: not %compile %s -t cuda:sm_70 -DBFLOAT --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=LATER
// LATER: matrix_tiles_before_tensor_cores.cu:{{[0-9]+}}:{{[0-9]+}}: error: 'llvm.nvvm.wmma{{.*}}' is no instruction of cuda:sm_70
// LATER: hint: compile for a processor that has it
#include <mma.h>
using namespace nvcuda;

__global__ void bytes(int* out) {
  __shared__ signed char a[256], b[256];
  for (int i = threadIdx.x; i < 256; i += 32) {
    a[i] = 127;
    b[i] = i % 16 == 1 ? -127 : 127;
    out[i] = i % 16 == 1 ? -2147483600 : 2147483600;
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::load_matrix_sync(sum, out, 16, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, sum, true);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

__global__ void halves(float* out) {
  __shared__ __half a[256], b[256];
  const float infinity = __builtin_inff();
  for (int i = threadIdx.x; i < 256; i += 32) {
    a[i] = __float2half(1);
    b[i] = __float2half(0);
    out[i] = i % 16 == 0 ? infinity : i % 16 == 1 ? infinity - infinity : -infinity;
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::load_matrix_sync(sum, out, 16, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, sum, true);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

#ifdef BFLOAT
__global__ void bfloats(const __nv_bfloat16* in, float* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, in, 16);
  wmma::load_matrix_sync(right, in, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
#endif
