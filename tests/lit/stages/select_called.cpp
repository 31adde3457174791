// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that another kernel calls, or takes the address of, stays an entry point and becomes a function too. The code
// of the caller is then not empty on any target.
//
// RUN: %dump-after select 2>&1 | FileCheck %s
// RUN: %lathe compile %s -t cuda --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %lathe compile %s -t amdgpu --emit asm -o - | FileCheck %s --check-prefix=GCN
// RUN: %lathe compile %s -t spirv --emit ir -o - | FileCheck %s --check-prefix=IR
// RUN: %lathe compile %s -t cpu --emit ir -o - | FileCheck %s --check-prefix=IR
// RUN: %lathe compile %s -t wasm32 --emit ir -o - | FileCheck %s --check-prefix=IR
#include <lathe/device.h>

struct Scale {
  float factor;
  unsigned first;
};

// CHECK: define void @_Z5child5ScalePf({{.*}}[[KERNEL:#[0-9]+]]
LATHE_KERNEL void child(Scale scale, float* x) {
  const unsigned i = lathe::global_id().x;
  if (i >= scale.first) x[i] *= scale.factor;
}

// CHECK: define void @_Z6parent5ScalePfS0_({{.*}}[[KERNEL]]
// CHECK: call void @_Z5child5ScalePf.called(
// CHECK: call void @_Z5child5ScalePf.called(
// CHECK: define internal void @_Z5child5ScalePf.called(
// PTX: .entry _Z6parent5ScalePfS0_(
// PTX: mul.{{.*}}f32
// PTX: mul.{{.*}}f32
// GCN: _Z6parent5ScalePfS0_:
// GCN: v_mul_f32
// GCN: v_mul_f32
// GCN: s_endpgm
// IR: @_Z6parent5ScalePfS0_{{(.group)?}}(
// IR: fmul
// IR: fmul
LATHE_KERNEL void parent(Scale scale, float* x, float* y) {
  child(scale, x);
  child({2 * scale.factor, scale.first}, y);
}
