// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hipCUB's and rocPRIM's collectives of blocks and warps, hipRAND's generators, complex and small numbers under HIP's names.
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg && %compile %s -t cuda:sm_90 -o %t.limg && %compile %s -t spirv -o %t.limg
// RUN: %lathe run %s -t cpu -k sums --grid 1 --group 128 --arg iota:i32[128] --arg zeros:i32[4] --print 1 | FileCheck %s --check-prefix=SUMS
// SUMS: 8128 8128 496 127
// RUN: %lathe run %s -t cpu -k scans --grid 1 --group 64 --arg ones:i32[64] --arg zeros:i32[64] --print 1:4 | FileCheck %s --check-prefix=SCANS
// SCANS: 0 2 4 6
// RUN: %lathe run %s -t cpu -k numbers --grid 1 --group 1 --arg zeros:f32[6] --print 0 | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: 1.5 2.5 5 0 1 4
#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>
#include <hiprand/hiprand_kernel.h>
#include <rocprim/rocprim.hpp>

__global__ void sums(const int* in, int* out) {
  using Reduce = hipcub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const int all = Reduce(storage).Sum(in[threadIdx.x]);
  using Block = rocprim::block_reduce<int, 128>;
  __shared__ typename Block::storage_type other;
  int sum = 0, most = 0;
  Block().reduce(in[threadIdx.x], sum, other);
  __syncthreads();
  Block().reduce(in[threadIdx.x], most, rocprim::maximum<int>());
  using Warp = hipcub::WarpReduce<int, 32>;
  __shared__ typename Warp::TempStorage ofWarps[4];
  const int warp = Warp(ofWarps[threadIdx.x / 32]).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) out[0] = all, out[1] = sum, out[2] = warp, out[3] = most;
}

__global__ void scans(const int* in, int* out) {
  using Scan = rocprim::block_scan<int, 64>;
  __shared__ Scan::storage_type storage;
  int before = 0, upTo = 0;
  Scan().exclusive_scan(in[threadIdx.x], before, 0, storage);
  __syncthreads();
  Scan().inclusive_scan(in[threadIdx.x], upTo, storage);
  out[threadIdx.x] = before + upTo - 1;
}

__global__ void numbers(float* out) {
  const hip_bfloat16 small(1.5f);
  out[0] = small;
  out[1] = static_cast<float>(small + hip_bfloat16(1.0f));
  out[2] = hipCabsf(make_hipFloatComplex(3, 4));
  hiprandStatePhilox4_32_10_t state;
  hiprand_init(7, threadIdx.x, 0, &state);
  const float number = hiprand_uniform(&state);
  out[3] = number > 0 && number <= 1 ? 0 : 1;
  __half2 pair = __floats2half2_rn(1, 2);
  out[4] = __low2float(pair);
  out[5] = __high2float(__hadd2(pair, pair));
}
