// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of variables that no source of the job defines are definitions of zeros, with a warning, as with nvcc
// 13.0 without relocatable device code (#20044-D), whose PTX of this file has these variables; an array without a bound
// is none. A source of the job that has the definition is heeded.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID --implicit-check-not=unused
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: not %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx -DUNBOUND 2>&1 | FileCheck %s --check-prefix=UNBOUND
// RUN: echo '__constant__ int table[4] = {5, 6, 7, 8}; __device__ int counter = 9;' > %t.cu
// RUN: %compile %s %t.cu -t cuda:sm_90 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SOME --implicit-check-not=table
// RUN: FileCheck %s --check-prefix=DEFINED < %t.ptx
// RUN: %lathe run %s -t cpu -k sum --grid 1 --group 1 --arg 'zeros:i32[2]' --print 0:2 2>&1 | FileCheck %s --check-prefix=RAN
// SAID-DAG: warning: extern declaration of 'table' is taken for its definition
// SAID-DAG: warning: extern declaration of 'counter' is taken for its definition
// SAID-DAG: warning: extern declaration of 'shared' is taken for its definition
// SAID-DAG: warning: extern declaration of 'inner::scale' is taken for its definition
// CHECK-DAG: .const .align 4 .b8 table[16];
// CHECK-DAG: .global .align 4 .u32 counter;
// CHECK-DAG: .global .attribute(.managed) .align 4 .u32 shared;
// CHECK-DAG: .global .align 4 .b8 _ZN5inner5scaleE[12];
// UNBOUND: error: variable 'unbound' is used but nothing defines it
// SOME: warning: extern declaration of 'inner::scale'
// DEFINED-DAG: .const .align 4 .b8 table[16] = {5, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0, 8
// DEFINED-DAG: .global .align 4 .u32 counter = 9;
// RAN: 0 1
extern __constant__ int table[4];
extern __device__ int counter;
extern __device__ int unused;
extern __managed__ int shared;
extern __constant__ int unbound[];
namespace inner {
extern __device__ float scale[3];
}

__global__ void sum(int* out) {
  out[0] = table[threadIdx.x] + int(inner::scale[0]);
  atomicAdd(&counter, 1);
  out[1] = counter + shared;
#ifdef UNBOUND
  out[1] = unbound[1];
#endif
}
