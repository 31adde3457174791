// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is had from a lane that a branch has switched off, so no shuffle may read under one: the first items, which keep
// their own value, are those that the others read.
//
// RUN: %compile %s -t amdgpu:gfx1100 -O0 --emit asm -o - | FileCheck %s
// RUN: %compile %s -t amdgpu:gfx1100 -O3 --emit asm -o - | FileCheck %s --check-prefixes=CHECK,CHECK-O3
//
// In waves of 64 of processors whose instruction reaches 32 lanes they are an error.
// RUN: not %compile %s -t amdgpu:gfx1100 --features +wavefrontsize64 --emit asm -o - 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: error: {{.*}}shuffles by distances known at run time reach 32 lanes of gfx1100, and waves have 64
#include <lathe/device.h>

// CHECK-LABEL: up:
// CHECK-NOT: saveexec
// CHECK: _dpp {{.*}} row_shr:3
// CHECK-LABEL: {{^}}.Lfunc_end0
extern "C" LATHE_KERNEL void up(const unsigned* in, unsigned* out) {
  const unsigned i = lathe::item_id().x;
  out[i] = __lathe_shuffle_up_i32(~0U, in[i], 3, 16);
}

// CHECK-LABEL: up_by:
// CHECK-NOT: saveexec
// CHECK: ds_bpermute_b32
// CHECK-LABEL: {{^}}.Lfunc_end1
extern "C" LATHE_KERNEL void up_by(const unsigned* in, unsigned* out, unsigned delta) {
  const unsigned i = lathe::item_id().x;
  out[i] = __lathe_shuffle_up_i32(~0U, in[i], delta, 16);
}

// Steps longer than the segment, up to those that a sum would wrap with, give the item's own value: nothing is left to
// compare.
// CHECK-O3-LABEL: far:
// CHECK-O3-NOT: v_cmp
// CHECK-O3-LABEL: {{^}}.Lfunc_end2
extern "C" LATHE_KERNEL void far(const unsigned* in, unsigned* out) {
  const unsigned i = lathe::item_id().x;
  out[2 * i] = __lathe_shuffle_up_i32(~0U, in[i], 0xfffffff0u, 32);
  out[2 * i + 1] = __lathe_shuffle_down_i32(~0U, in[i], 0xfffffff0u, 32);
}
