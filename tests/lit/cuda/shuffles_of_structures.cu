// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles exchange values of any size up to 32 bytes, word by word, as CUDA's cooperative groups do: a reduction of
// float3, structures of 6 and of 32 bytes.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o - | FileCheck %s %}
// RUN: %lathe run %s -t cpu -k exchange --grid 1 --group 32 --arg zeros:f32[6] --print 0 | FileCheck %s --check-prefix=RESULT
// CHECK-LABEL: .entry exchange(
// CHECK-COUNT-15: shfl.sync.bfly.b32
// CHECK-COUNT-2: shfl.sync.idx.b32
// CHECK-COUNT-8: shfl.sync.idx.b32
// CHECK-NOT: {{shfl|local}}
// RESULT: 496 992 32 3 5 22
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

struct Three {
  short a, b, c;
};
struct Eight {
  double values[4];
};

extern "C" __global__ void exchange(float* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const float rank = warp.thread_rank();
  const float3 sum = cg::reduce(warp, make_float3(rank, 2 * rank, 1), [](const float3& a, const float3& b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
  });
  const short number = static_cast<short>(rank);
  const Three three = warp.shfl(Three{number, static_cast<short>(number + 1), static_cast<short>(number + 2)}, 3);
  const Eight eight = warp.shfl(Eight{rank, rank * 2, rank * 3, rank * 4}, 5);
  if (rank != 0) return;
  out[0] = sum.x;
  out[1] = sum.y;
  out[2] = sum.z;
  out[3] = three.a;
  out[4] = three.c;
  out[5] = three.b - 2 + static_cast<float>(eight.values[3]) + static_cast<float>(eight.values[0] - 5);
}
