// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Clang warns of and nvcc does not: functions that end with __trap(), and `defined` out of a macro.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %compile %s -t cpu -o %t.limg 2>&1 | FileCheck %s --allow-empty --check-prefix=NONE
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o - 2>&1 | FileCheck %s --implicit-check-not=warning: %}
// CHECK: trap;
// CHECK: .entry _Z6choosePi
// NONE-NOT: warning:
#define IS_DEVICE (defined(__CUDA_ARCH__) && defined(__CUDACC__))
#if IS_DEVICE
#define LEAST 3
#else
#define LEAST 2
#endif

[[noreturn]] __device__ __noinline__ void noCode(int line) {
  printf("no code for %d\n", line);
  __trap();
  (void)line;
}
__device__ int table(int index) {
  switch (index) {
    case 0: return 5;
    case 1: return 7;
  }
  noCode(LEAST);
}
__device__ int other(int index) {
  if (index < LEAST) return index;
  __trap();
}

__global__ void choose(int* p) {
  p[0] = table(p[0]) + other(p[1]);
}
