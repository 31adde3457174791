// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the device ABI become the target's intrinsics, or instructions with the target's memory scopes.
//
// RUN: %dump-after device_abi -t cuda 2>&1 | FileCheck %s --check-prefix=NV
// RUN: %dump-after device_abi -t amdgpu 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: %dump-after device_abi -t cpu 2>&1 | FileCheck %s --check-prefix=CPU
#include <lathe/device.h>

// The table's functions are called by name: no wrapper of the language is between the call and what it becomes.
LATHE_KERNEL void count(unsigned* total, float* sum) {
  constexpr int relaxed = 0, release = 2, both = 3, sequential = 4, group = 2, device = 3, system = 4;
  // NV-LABEL: define void @_Z5countPjPf
  // NV: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  // NV: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  // AMD-LABEL: define void @_Z5countPjPf
  // AMD: call i32 @llvm.amdgcn.workitem.id.x()
  // AMD: call i32 @llvm.amdgcn.workgroup.id.y()
  // CPU-LABEL: define void @_Z5countPjPf
  // The CPU has no items yet: work-group lowering replaces these calls.
  // CPU: call i32 @__lathe_item_id_x()
  // CPU: call i32 @__lathe_group_id_y()
  const unsigned i = __lathe_item_id_x() + __lathe_group_id_y();

  // NV: atomicrmw add ptr %{{.*}}, i32 %{{.*}} syncscope("device") monotonic
  // AMD: atomicrmw add ptr %{{.*}}, i32 %{{.*}} syncscope("agent") monotonic
  // CPU: atomicrmw add ptr %{{.*}}, i32 %{{.*}} monotonic
  __lathe_atomic_add_i32(total, i, relaxed, device);
  // NV: atomicrmw umax ptr %{{.*}}, i32 %{{.*}} syncscope("block") acq_rel
  // AMD: atomicrmw umax ptr %{{.*}}, i32 %{{.*}} syncscope("workgroup") acq_rel
  // CPU: atomicrmw umax ptr %{{.*}}, i32 %{{.*}} syncscope("singlethread") acq_rel
  __lathe_atomic_umax_i32(total, i, both, group);
  // NV: cmpxchg ptr %{{.*}}, i32 1, i32 2 seq_cst seq_cst
  // AMD: cmpxchg ptr %{{.*}}, i32 1, i32 2 seq_cst seq_cst
  // CPU: cmpxchg ptr %{{.*}}, i32 1, i32 2 seq_cst seq_cst
  __lathe_atomic_cas_i32(total, 1, 2, sequential, system);
  // NV: atomicrmw fadd ptr %{{.*}}, float 1.000000e+00 syncscope("device") monotonic
  // AMD: atomicrmw fadd ptr %{{.*}}, float 1.000000e+00 syncscope("agent") monotonic
  // CPU: atomicrmw fadd ptr %{{.*}}, float 1.000000e+00 monotonic
  __lathe_atomic_add_f32(sum, 1.0f, relaxed, device);
  // NV: fence syncscope("block") release
  // AMD: fence syncscope("workgroup") release
  // CPU: fence syncscope("singlethread") release
  __lathe_fence(release, group);
}
