// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programmatic dependent launch: instructions from sm_90 on, nothing before and elsewhere.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cuda:sm_80 -O0 --emit ptx -o %t.80.ptx && FileCheck %s --check-prefix=NONE < %t.80.ptx
// RUN: %lathe run %s -t cpu --grid 1 --group 4 --arg iota:f32[4] --print 0:4 | FileCheck %s --check-prefix=CPU
// CHECK: griddepcontrol.wait
// CHECK: ld.global
// CHECK: st.global
// CHECK: griddepcontrol.launch_dependents
// NONE-NOT: griddepcontrol
// CPU: 1 2 3 4
#include <cuda_pipeline_primitives.h>
#include <curand_uniform.h>

__global__ void next(float* x) {
  cudaGridDependencySynchronize();
  x[threadIdx.x] += 1;
  cudaTriggerProgrammaticLaunchCompletion();
}
