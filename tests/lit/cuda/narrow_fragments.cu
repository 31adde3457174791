// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of narrow floats by inline PTX, on a machine that has neither: every number of a format, by way of the
// conversion of <cuda_fp8.h>.
// RUN: %lathe run %s -t cpu -k compared --grid 64 --group 32 --arg 'zeros:i32[2]' --print 0 | FileCheck %s
// RUN: %compile %s -t cuda:sm_89 --emit ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_89 %t.ptx -o %t.cubin %}
#include <cuda_fp8.h>
#include <lathe/cuda/tensor/matrix_fragments.h>

__device__ float converted(unsigned bits, __nv_fp8_interpretation_t kind) {
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(bits), kind)));
}

/// Row g of A has one number in its first column, and B is 1 there and 0 elsewhere: column 0 of the sums has the numbers.
// CHECK: 0 2048
__global__ void compared(int* found) {
  const unsigned group = threadIdx.x / 4, thread = threadIdx.x % 4, first = blockIdx.x % 32 * 8;
  for (const bool wide : {false, true}) {
    const auto kind = wide ? __NV_E4M3 : __NV_E5M2;
    const unsigned one = wide ? 0x38 : 0x3c;
    const unsigned a[4] = {thread == 0 ? first + group : 0, thread == 0 ? 255 - first - group : 0, 0, 0};
    const unsigned b[2] = {thread == 0 && group == 0 ? one : 0, 0};
    float sums[4] = {};
    if (wide)
      lathe::cuda::mma_e4m3(sums, a, b);
    else
      lathe::cuda::mma_e5m2(sums, a, b);
    if (thread != 0) continue;
    for (unsigned row = 0; row < 2; ++row) {
      const float want = converted(a[row], kind), got = sums[2 * row];
      atomicAdd(found, want != want ? got == got : got != want);
      atomicAdd(found + 1, 1);
    }
  }
}
