// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of the program in languages that have constant tables alone (Metal, OpenCL C 1.2): one in constant memory with
// an initial value is a table, as no host can write it there. One that no compiled kernel uses does not matter; one that a host was to fill, or that kernels may write, is an error.
// RUN: %compile %s -t metal -k plain --emit metal -o - | FileCheck %s --check-prefix=PLAIN
// RUN: %compile %s -t opencl-c:cl1.2 -k plain --emit cl -o - | FileCheck %s --check-prefix=PLAIN
// RUN: %compile %s -t opencl-c -k plain -k reads --emit cl -o - | FileCheck %s --check-prefix=NEW
// RUN: %compile %s -t metal -O 0 -k plain --emit metal -o - | FileCheck %s --check-prefix=PLAIN
// RUN: %compile %s -t metal -k reads --emit metal -o - | FileCheck %s --check-prefix=METAL
// RUN: %compile %s -t opencl-c:cl1.2 -k reads --emit cl -o - | FileCheck %s --check-prefix=OLD
// RUN: %compile %s -t opencl-c:cl1.2 -O 0 -k reads --emit cl -o - | FileCheck %s --check-prefix=OLD
// RUN: not %compile %s -t metal -k filled -k counts -o %t 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not %compile %s -t opencl-c:cl1.2 -k filled -k counts -o %t 2>&1 | FileCheck %s --check-prefix=ERROR

// METAL: constant uchar lathe_table[32] {{.*}} = {0,0,128,63,
// OLD: __constant uchar lathe_table[32] {{.*}} = {0,0,128,63,
// NEW: __global uchar table[32] {{.*}} = {0,0,128,63,
__constant__ float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
// ERROR-DAG: error: the variable 'coefficients' of the program, which has no initial value and no host to fill it, on
__constant__ float coefficients[8];
// ERROR-DAG: error: the variable 'counter' of the program on
__device__ int counter = 5;
using Step = float (*)(float);
__device__ float increased(float x) { return x + 1; }
__device__ float doubled(float x) { return x * 2; }
// Functions are numbers in OpenCL C.
// NEW: __global uchar steps[16] {{.*}} = {2,0,0,0,0,0,0,0,4};
__device__ Step steps[2] = {increased, doubled};

// PLAIN-NOT: {{table|coefficients|steps}}
// PLAIN: kernel void
extern "C" __global__ void plain(float* out) { out[threadIdx.x] = threadIdx.x * 2.0f; }
extern "C" __global__ void reads(float* out, int n) { out[threadIdx.x] = table[(threadIdx.x + n) & 7]; }
extern "C" __global__ void filled(float* out, int n) { out[threadIdx.x] = coefficients[(threadIdx.x + n) & 7]; }
extern "C" __global__ void counts(float* out) { out[threadIdx.x] = counter; }
