// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of the library that only the program's own headers include are precompiled too: those in the source's folder, in
// folders for headers and in headers that include headers.
// REQUIRES: libcxx
// RUN: rm -rf %t && split-file %s %t
// RUN: %compile %t/main.cu -I %t/include -t cuda:sm_80 --emit ptx -o %t/main.ptx
// RUN: %compile %t/main.cu -I %t/include -t cuda:sm_80 --emit ptx -D__as_text -o %t/text.ptx
// RUN: cmp %t/main.ptx %t/text.ptx
// RUN: %compile %t/main.cu -I %t/include -t cuda:sm_80 --explain -o %t/main.limg | FileCheck %s
// RUN: not %compile %t/main.cu -t cuda:sm_80 -o %t/main.limg 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %compile %t/own.cu -I %t/include -t cuda:sm_80 --explain -o %t/own.limg | FileCheck %s --check-prefix=OWN
// CHECK: prelude {{ *}}precompiled {{ *}}of dialect 'cuda' with its library, for <algorithm>
// NONE: 'deep.h' file not found
// OWN: prelude {{ *}}precompiled {{ *}}of dialect 'cuda'{{ *$}}
//--- main.cu
#include "near.h"
__global__ void least(const int* in, int* out) { *out = smaller(in[0], in[1]); }
//--- own.cu
#include "own.h"
__global__ void twice(int* out) { *out = own(*out); }
//--- own.h
#pragma once
#include "own.h"
__device__ inline int own(int x) { return 2 * x; }
//--- near.h
#pragma once
#include "deep.h"
__device__ inline int smaller(int a, int b) { return smallest(a, b); }
//--- include/deep.h
#pragma once
#include <algorithm>
#include "../near.h"
__device__ inline int smallest(int a, int b) { return std::min(a, b); }
