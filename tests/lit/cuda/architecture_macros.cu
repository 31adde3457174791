// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The macros by which sources choose the code of one architecture alone (sm_90a) or of a family (sm_100f), as nvcc
// defines them. CUTLASS and libcu++ take tensor cores' instructions by them, and a trap without.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s -DVALUES=0
// RUN: %compile %s -t cuda:sm_90a --emit ptx -o - | FileCheck %s -DVALUES=63
// RUN: %compile %s -t cuda:sm_100a --emit ptx -o - | FileCheck %s -DVALUES=778
// RUN: %compile %s -t cuda:sm_100f --emit ptx -o - | FileCheck %s -DVALUES=264
// RUN: %compile %s -t cuda:sm_103a --emit ptx -o - | FileCheck %s -DVALUES=266
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_90a %s -o - | FileCheck %s -DVALUES=63 %}
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_100f %s -o - | FileCheck %s -DVALUES=264 %}
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_103a %s -o - | FileCheck %s -DVALUES=266 %}
// RUN: %compile %s -t cpu -o %t.limg
// CHECK: .entry _Z8featuresPi
// CHECK: {{[ ,]}}[[VALUES]];
#include <nv/target>

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
constexpr int feature = __CUDA_ARCH_HAS_FEATURE__(SM90_ALL);
#else
constexpr int feature = 0;
#endif
#ifdef __CUDA_ARCH_SPECIFIC__
constexpr int specific = 2;
#else
constexpr int specific = 0;
#endif
constexpr int only90 = __CUDA_HAS_ARCH_SPECIFIC(90) ? 4 : 0;
#ifdef __CUDA_ARCH_FAMILY_SPECIFIC__
constexpr int family = 8;
#else
constexpr int family = 0;
#endif

__global__ void features(int* to) {
  int values = feature | specific | only90 | family;
  if (__CUDA_HAS_ARCH_FAMILY_SPECIFIC(90)) values |= 16;
  NV_IF_TARGET(NV_HAS_FEATURE_SM_90a, (values |= 32;))
  if (__CUDA_HAS_ARCH_FAMILY_SPECIFIC(100)) values |= 256;
  if (__CUDA_HAS_ARCH_SPECIFIC(100)) values |= 512;
  to[0] = values;
}
