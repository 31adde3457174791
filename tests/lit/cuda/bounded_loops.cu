// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over private arrays whose number of iterations is not known and has a bound are unrolled up to it, so that the
// array is in registers: nvcc 13.0's PTX of `weigh` has no local memory either. The numbers of iterations are those of
// the source, also where they are none or the most, and where the loop counts down or from another number than 0.
// RUN: %compile %s -t cuda:sm_90 -k weigh --emit ptx -o - | FileCheck %s
// RUN: %lathe run %s -t cpu -k counts --grid 1 --group 7 --arg 'zeros:i32[21]' --print 0:21 | FileCheck %s --check-prefix=RAN
// RUN: %compile %s -t cuda:sm_90 -k rows --emit ptx -o - | FileCheck %s
// RUN: %lathe run %s -t cpu -k rows --grid 1 --group 3 --arg 'ones:f16[32]' --arg 5 --arg 3 --arg 'zeros:f16[40]' --print 3:34 | FileCheck %s --check-prefix=ROWS
// CHECK-NOT: .local
// ROWS: out f16[40]: 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 0 0 0 0
// RAN: 0 0 1 12 123 1234 1234 0 0 4 43 432 4321 4321 0 0 2 23 234 2345 2345
#include <cuda_fp16.h>

extern "C" __global__ void weigh(const short* in, int stride, int rest, short* out, int times) {
  short weights[4];
  const int count = min(rest - static_cast<int>(blockIdx.y) * 4, 4);
  int any = 0;
  for (int i = 0; i < count; ++i) {
    weights[i] = *in;
    in += stride;
    any |= weights[i];
  }
  if (!any) return;
  for (int time = 0; time < times; ++time) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (i < count) out[time * 4 + i] += weights[i];
  }
}

extern "C" __global__ void counts(int* out) {
  const int i = threadIdx.x;
  const int count = min(i - 1, 4);
  int up[5] = {1, 2, 3, 4, 5}, down[5] = {0, 1, 2, 3, 4}, later[6] = {0, 1, 2, 3, 4, 5};
  int sums[3] = {};
  for (int k = 0; k < count; ++k) sums[0] = 10 * sums[0] + up[k];
  for (int k = 4; k > 4 - count; --k) sums[1] = 10 * sums[1] + down[k];
  for (int k = 2; k < 2 + count; ++k) sums[2] = 10 * sums[2] + later[k];
  out[i] = sums[0];
  out[7 + i] = sums[1];
  out[14 + i] = sums[2];
}

// A loop that ends by the first of two conditions, of which one alone has a number.
extern "C" __global__ void rows(const half2* in, int n, int count, half2* out) {
  half2 kept[4][2];
  float most[4];
  const int few = min(count - static_cast<int>(blockIdx.x) * 4, 4);
#pragma unroll
  for (int j = 0; j < 4; ++j) most[j] = -1;
  for (int i = 0; blockDim.x * i + threadIdx.x < n && i < 2; ++i) {
    half2 values[4];
#pragma unroll
    for (int j = 0; j < few; ++j) values[j] = in[j * n + blockDim.x * i + threadIdx.x];
#pragma unroll
    for (int j = 0; j < few; ++j) {
      kept[j][i] = __hadd2(values[j], values[j]);
      most[j] = max(most[j], static_cast<float>(kept[j][i].x));
    }
  }
  for (int i = 0; blockDim.x * i + threadIdx.x < n && i < 2; ++i) {
#pragma unroll
    for (int j = 0; j < few; ++j)
      out[j * n + blockDim.x * i + threadIdx.x] = __hmul2(kept[j][i], __float2half2_rn(most[j]));
  }
}
