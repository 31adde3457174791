// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicAdd of vectors of floats: atomic member by member, from sm_90 on by one instruction.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s --check-prefix=WHOLE < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s
// RUN: %lathe run %s -t cpu --grid 2 --group 32 --arg zeros:f32[2] --arg zeros:f32[4] --print 0 --print 1 | FileCheck %s --check-prefix=RUNS
// WHOLE: atom.relaxed.gpu.global.add.v2.f32 {
// WHOLE: atom.relaxed.cta.global.add.v2.f32 {
// WHOLE: atom.relaxed.sys.global.add.v4.f32 {
// CHECK-COUNT-8: {{(atom|red)}}.{{.*}}add.f32
// RUNS: 2080 64
// RUNS: 2016 64 -2016 128
__global__ void vectors(float2* pair, float4* four) {
  const float x = static_cast<float>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(pair, make_float2(x, 0.5f));
  atomicAdd_block(pair, make_float2(1, 0.5f));
  atomicAdd_system(four, make_float4(x, 1, -x, 2));
}
