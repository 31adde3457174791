// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier in front of a call stays one, whatever is known of the call's arguments in the branches before it: LLVM's
// CallSiteSplitting would copy it into them, where only some of the threads reach it.
//
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %compile %s -t amdgpu --emit ir -o - | FileCheck %s --check-prefix=AMD
// RUN: %compile %s -t spirv --emit ir -o - | FileCheck %s --check-prefix=SPIRV
__device__ unsigned mix(unsigned a, unsigned b) { return (a ^ b) * 2654435761U + b; }

// PTX-LABEL: .entry _Z5firstPKjPj(
// PTX: bar.sync
// PTX-NOT: bar.sync
// AMD-LABEL: @_Z5firstPKjPj(
// AMD: call void @llvm.amdgcn.s.barrier()
// AMD-NOT: call void @llvm.amdgcn.s.barrier()
// SPIRV-LABEL: @_Z5firstPKjPj(
// SPIRV: call {{.*}}__spirv_ControlBarrier
// SPIRV-NOT: call {{.*}}__spirv_ControlBarrier
__global__ void first(const unsigned* in, unsigned* out) {
  __shared__ unsigned kept;
  const unsigned item = threadIdx.x;
  if (item == 0) kept = in[0];
  __syncthreads();
  out[item] = mix(item, in[item]) + kept;
}

// PTX-LABEL: .entry _Z6secondPKjPj(
// PTX: bar.warp.sync
// PTX-NOT: bar.warp.sync
// AMD-LABEL: @_Z6secondPKjPj(
// SPIRV-LABEL: @_Z6secondPKjPj(
__global__ void second(const unsigned* in, unsigned* out) {
  __shared__ unsigned kept[2];
  const unsigned item = threadIdx.x;
  if (item % 32 == 0) kept[item / 32] = in[0];
  __syncwarp();
  out[item] = mix(item % 32, in[item]) + kept[item / 32];
}
