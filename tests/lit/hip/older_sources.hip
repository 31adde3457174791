// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What HIP sources written for AMD's compiler count on: names of integers, warpSize as a constant, which it was before ROCm 7, device code that
// ends by abort(), matches without masks, headers by the names of AMD's own files, constants, attributes of AMD's.
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg && %compile %s -t cuda:sm_90 -o %t.limg && %compile %s -t spirv -o %t.limg
// RUN: %lathe run %s -t cpu -k sizes --grid 1 --group 64 --arg iota:i32[64] --arg zeros:i32[4] --print 1 | FileCheck %s
// CHECK: out i32[4]: 32 496 5 32
// RUN: %dump-after specialise -t amdgpu:gfx942 -O 0 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: [64 x i32]
// RUN: not %lathe run %s -t cpu -k aborts --grid 1 --group 1 --arg 1 2>&1 | FileCheck %s --check-prefix=ABORTED
// ABORTED: error: {{.*}}aborts
// RUN: %lathe run %s -t cpu -k aborts --grid 1 --group 1 --arg 0
#include <hip/amd_detail/amd_hip_bf16.h>
#include <hip/amd_detail/amd_hip_cooperative_groups.h>
#include <hip/amd_detail/amd_hip_fp16.h>
#include <hip/amd_detail/amd_hip_fp8.h>
#include <hip/hip_math_constants.h>
#include <hip/hip_runtime.h>

#include <cstdlib>

template <class T, unsigned Width = warpSize>
__device__ T sum(T x) {
#pragma unroll
  for (unsigned step = Width / 2; step > 0; step /= 2) x += __shfl_xor(x, step);
  return x;
}

__global__ __attribute__((amdgpu_flat_work_group_size(64, 1024), amdgpu_waves_per_eu(2, 4))) void sizes(const int* in, int* out) {
  __shared__ int places[warpSize];
  constexpr int last = warpSize - 1;
  const int lane = threadIdx.x % warpSize, own = in[threadIdx.x];
  if (threadIdx.x < warpSize) places[lane] = lane;
  __syncthreads();
  const int all = sum(own);
  const ullong same = __match_any(own / 5);
  static_assert(sizeof(uchar) == 1 && uchar(-1) > 0);
  if (threadIdx.x == 0) {
    out[0] = places[last] + 1;
    out[1] = all;
    out[2] = __popcll(same);
    out[3] = HIP_INF_F > 1e30f && HIP_PI > 3 ? sizeof(places) / sizeof(int) : 0;
  }
}

__global__ void aborts(int ends) {
  if (ends == 1) abort();
  if (ends == 2) std::abort();
}
