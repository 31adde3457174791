// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sources ask the compiler: nvcc's macros, `typeof` in any standard, kernels of other files whose parameters' types
// are not known here.
//
// RUN: %compile %s -t cuda:sm_90 -k '*' --emit ptx -o - | FileCheck %s
// RUN: %compile %s -t cuda:sm_90 -k '*' --std c++17 --emit ptx -o - | FileCheck %s
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#ifdef __CLANG_RDC__
#error code is not linked later
#endif
#if !defined(__CUDACC_EXTENDED_LAMBDA__) || !defined(__CUDACC_RELAXED_CONSTEXPR__)
#error lambdas and constexpr functions are for both sides
#endif
#if !defined(__CUDA_BF16_TYPES_EXIST__) || !defined(__CUDA_FP16_TYPES_EXIST__)
#error the types are there
#endif

#define ONCE(x) (*(volatile typeof(x)*)&(x))

struct Elsewhere;
__global__ void launchedElsewhere(Elsewhere parameter);
struct Table {
  void (*kernel)(Elsewhere);
  Table() : kernel(launchedElsewhere) {}
};
Table table;

// CHECK-LABEL: .entry once
// CHECK: ld.volatile.{{.*}}b32
extern "C" __global__ void once(int* p) {
  p[0] = ONCE(p[1]);
}
