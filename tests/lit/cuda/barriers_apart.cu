// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier of a cooperative group is not aligned, as in nvcc's code: threads of a warp may reach it at different calls.
// __syncthreads() is. Elsewhere the two are one.
//
// RUN: %compile %s -t cuda:sm_50 --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %compile %s -t cuda:sm_90 -O0 --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %compile %s -t amdgpu --emit ir -o - | FileCheck %s --check-prefix=AMD
// RUN: %compile %s -t spirv --emit ir -o - | FileCheck %s --check-prefix=SPIRV
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

// PTX-LABEL: .entry _Z5blockv(
// PTX-COUNT-4: {{(barrier(\.cta)?\.sync[ 	]+0;)}}
// PTX-NOT: {{bar\.sync|aligned}}
// AMD-LABEL: @_Z5blockv(
// AMD-COUNT-4: call void @llvm.amdgcn.s.barrier()
// SPIRV-LABEL: @_Z5blockv(
// SPIRV-COUNT-4: call {{.*}}__spirv_ControlBarrier
__global__ void block() {
  const cg::thread_block block = cg::this_thread_block();
  block.sync();
  cg::sync(block);
  cg::wait(block);
  block.barrier_wait(block.barrier_arrive());
}

// A group of any kind: the block's barrier or the warp's, by what it is when the kernel runs.
// PTX-LABEL: .entry _Z11wholeOrPartb(
// PTX-DAG: {{(barrier(\.cta)?\.sync[ 	]+0;)}}
// PTX-DAG: bar.warp.sync
// PTX: ret;
__global__ void wholeOrPart(bool whole) {
  if (whole) {
    cg::thread_group(cg::this_thread_block()).sync();
  } else {
    cg::thread_group(cg::tiled_partition<8>(cg::this_thread_block())).sync();
  }
}

// PTX-LABEL: .entry _Z7alignedv(
// PTX: {{bar\.sync|barrier(\.cta)?\.sync\.aligned}}
__global__ void aligned() {
  __syncthreads();
}
