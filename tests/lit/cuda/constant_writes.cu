// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing a variable that only the host sets: an error for a whole number, a warning for a part, as nvcc has them; atomic
// operations on it are errors.
// RUN: not %compile %s -t cuda:sm_90 -DWHOLE --emit ptx -o - 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not %compile %s -t cuda:sm_90 -DATOMIC --emit ptx -o - 2>&1 | FileCheck %s --check-prefix=ATOMIC
// RUN: %compile %s -t cuda:sm_90 -DPART --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=PART
// RUN: %compile %s -t cpu -DPART -o %t.limg 2>&1 | FileCheck %s --check-prefix=PART
// RUN: %if nvcc %{ not %nvcc -ptx -arch=sm_90 -DWHOLE %s -o %t.nvcc.ptx %}
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_90 -DPART %s -o %t.nvcc.ptx 2>&1 | FileCheck %s --check-prefix=NVCC %}
// WHOLE: constant_writes.cu:[[@LINE+8]]:{{.*}}error: 'whole' is written in 'kernel', and lives in memory that kernels only read
// ATOMIC: error: an atomic operation on constant memory
// PART: warning: 'parts' is written in 'kernel', and lives in memory that kernels only read: the write is lost
// NVCC: Cannot store to pointer that points to constant memory space
__constant__ int whole;
__constant__ int parts[4];
extern "C" __global__ void kernel(int* out) {
#ifdef WHOLE
  whole = 2;
#elif defined(ATOMIC)
  atomicAdd(&whole, 1);
#else
  parts[threadIdx.x] = 3;
#endif
  *out = whole + parts[2];
}
