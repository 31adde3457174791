// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names by which sources learn what they are compiled with, and a macro that CUDA's headers leave behind.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// CHECK: .entry _Z5widen
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <ciso646>

#if defined(__GLIBC__) || defined(__GNU_LIBRARY__)
#include <endian.h>
constexpr bool isLittle = __BYTE_ORDER == __LITTLE_ENDIAN;
#else
#error "the C library is unknown"
#endif

typedef struct __CUDA_ALIGN__(32) {
  float values[8];
} Eight;
static_assert(alignof(Eight) == 32 and isLittle);

__global__ void widen(Eight* out, const half* in) {
  for (int i = 0; i < 8; ++i) out[threadIdx.x].values[i] = __half2float(in[8 * threadIdx.x + i]);
}
