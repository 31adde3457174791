// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ mangles float cbrt(float), a wrapper of the headers or the user's, as libraries of OpenCL's mathematics mangle
// theirs. The library's must be called, not the wrapper by itself, which would be an endless loop and then nothing.
//
// RUN: %compile %s -t amdgpu --emit ir -o - | FileCheck %s
// RUN: %compile %s -t spirv --emit spvasm -o - | FileCheck %s --check-prefix=SPV
#include <lathe/device.h>

// A user's own function with the name of one of OpenCL's.
__attribute__((noinline)) unsigned long get_local_id(unsigned i) {
  return i + 41;
}

// CHECK-LABEL: define amdgpu_kernel void @_Z4rootPKfPf
// CHECK: load float, ptr addrspace(1)
// CHECK: fadd
// CHECK: store float %{{.*}}, ptr addrspace(1)
// SPV: %[[#ID:]] = OpVariable %{{[0-9]+}} Input
// SPV: OpLoad %{{[0-9]+}} %[[#ID]]
// SPV: %[[#ROOT:]] = OpExtInst %{{[0-9]+}} %{{[0-9]+}} cbrt
LATHE_KERNEL void root(const float* in, float* out) {
  const unsigned i = lathe::item_id().x;
  out[i] = std::cbrt(in[i]) + static_cast<float>(get_local_id(i));
}
