// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A misspelt word in a file of kernels is an error as ever: there is no host code that it could belong to.
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s
// CHECK: error: unknown type name '_global__'
_global__ void lost(float* p) { p[0] = 1; }
__global__ void found(float* p) { p[0] = 2; }
