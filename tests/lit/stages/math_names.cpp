// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::sin(float) is an inline function whose mangled name is that of libclc's sine: at no level may the call of the
// library's sine come back to it.
//
// RUN: %compile %s -t amdgpu:gfx1100 -O0 --emit ir -o - | FileCheck %s
// RUN: %compile %s -t amdgpu:gfx1100 -O0 --dump-after device_abi --emit ir -o %t.ll 2>&1 | FileCheck %s --check-prefix=STAGE
#include <cmath>
#include <lathe/device.h>

LATHE_KERNEL void sine(float* x) {
  x[lathe::global_id().x] = std::sin(x[lathe::global_id().x]);
}

// STAGE: define internal float @_Z3sinf.own(
// STAGE: call {{.*}}float @_Z3sinf(
// STAGE: declare float @_Z3sinf(float)
// CHECK: define internal float @_Z3sinf(
// CHECK-NOT: call {{.*}}@_Z3sinf(
// CHECK: define amdgpu_kernel void
// CHECK: call {{.*}}float @_Z3sinf(
