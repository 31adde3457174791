// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debug information above level 0 is where instructions stand, as directives: NVIDIA's assembler takes those at each
// level, and DWARF at none but 0.
// RUN: %compile %s -t cuda:sm_90 -g --emit ptx -o %t.ptx && FileCheck %s --implicit-check-not=debug_info --implicit-check-not="sm_90, debug" < %t.ptx
// RUN: %compile %s -t cuda:sm_90 -O1 -g --emit ptx -o %t.1.ptx && FileCheck %s --implicit-check-not=debug_info --implicit-check-not="sm_90, debug" < %t.1.ptx
// RUN: %compile %s -t cuda:sm_90 -O0 -g --emit ptx -o %t.0.ptx && FileCheck %s --check-prefix=WHOLE < %t.0.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -lineinfo %t.ptx -o %t.cubin && %ptxas -arch=sm_90 -g %t.0.ptx -o %t.0.cubin %}
// RUN: %if ptxas %{ %compile %s -t cuda:sm_90 -g --emit cubin -o %t.own.cubin && %compile %s -t cuda:sm_90 -O0 -g --emit cubin -o %t.own.0.cubin %}
// CHECK: .target sm_90{{$}}
// CHECK: .entry _Z7dividesPf(
// CHECK: .loc 1 [[@LINE+8]]
// CHECK: div.rn.f32
// CHECK: .file 1 "{{.*}}lines.cu"
// WHOLE: .target sm_90, debug
// WHOLE: .section .debug_info
__device__ float scale = 2;
__global__ void divides(float* p) {
  const float by = p[1] * scale;
  p[0] = p[2] / by;
}
