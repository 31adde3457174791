// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The macro by which CUTLASS leaves out what Clang could not compile once, written as CUTLASS does: it reads as 0.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2> %t.messages && FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty < %t.messages
// QUIET-NOT: {{warning|error}}
// CHECK: .entry {{.*}}whole
#if defined(__clang__) && defined(__CUDA__)
#define CUTLASS_CLANG_CUDA 1
#endif

#if !CUTLASS_CLANG_CUDA && __CUDACC_VER_MAJOR__ >= 12
__global__ void whole(float* out) {
  *out = 1;
}
#endif
