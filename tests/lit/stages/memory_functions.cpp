// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <cstring>'s functions become LLVM's memory intrinsics, which every back end has, at every optimisation level.
//
// RUN: %compile %s -t cuda:sm_90 -O0 --emit ir -o - | FileCheck %s
// RUN: %compile %s -t amdgpu -O0 --emit ir -o - | FileCheck %s
#include <cstring>
#include <lathe/device.h>

// CHECK-LABEL: define {{.*}}copies
// CHECK: call void @llvm.memcpy
// CHECK: call void @llvm.memset
LATHE_KERNEL void copies(unsigned char* to, const unsigned char* from, unsigned bytes) {
  std::memcpy(to, from, bytes);
  memset(to + bytes, abs(-7), bytes);
}
