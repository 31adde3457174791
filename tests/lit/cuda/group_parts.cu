// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of cooperative groups that generated sources include by themselves.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o - | FileCheck %s %}
// CHECK: .entry sum(
#include <cooperative_groups.h>
#include <cooperative_groups/details/partitioning.h>
#include <cooperative_groups/details/reduce.h>
#include <cooperative_groups/details/info.h>
#include <cooperative_groups/details/sync.h>
#include <cooperative_groups/details/scan.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

extern "C" __global__ void sum(int* values) {
  const auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  const int all = cooperative_groups::reduce(tile, values[tile.thread_rank()], cooperative_groups::plus<int>());
  values[tile.thread_rank()] = all + cooperative_groups::inclusive_scan(tile, all);
}
