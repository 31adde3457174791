// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's own headers take no second reading of a source that uses them.
// RUN: %lathe compile %s -t cuda:sm_80 --explain -o %t.limg | FileCheck %s
// CHECK: dialect
// CHECK-NOT: readings
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/barrier>
#include <cuda/std/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <mma.h>
namespace groups = cooperative_groups;

__global__ void grouped(float* p) {
  const auto block = groups::this_thread_block();
  const auto warp = groups::tiled_partition<32>(block);
  const auto two = groups::tiled_partition<64>(block);
  p[0] = groups::reduce(warp, p[threadIdx.x], groups::plus<float>()) + two.size();
  p[1] = groups::inclusive_scan(groups::coalesced_threads(), static_cast<int>(p[2]));
  const auto like = groups::labeled_partition(warp, threadIdx.x & 3);
  p[3] = like.size();
  block.sync();
}

__global__ void drawn(float* p) {
  curandStatePhilox4_32_10_t state;
  curand_init(7, threadIdx.x, 0, &state);
  p[threadIdx.x] = curand_uniform(&state) + __half2float(__float2half(p[1])) + __bfloat162float(__float2bfloat16(p[2]));
}
