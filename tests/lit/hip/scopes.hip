// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes of atomics and fences reach the instructions, which clang for AMD GPUs gives the same.
// RUN: %compile %s -t amdgpu:gfx942 -O1 --emit ir -o %t.ll && FileCheck %s < %t.ll
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s --check-prefix=PTX < %t.ptx
#include <hip/hip_runtime.h>

// CHECK-LABEL: define {{.*}} @atomics(
// CHECK: atomicrmw add {{.*}} syncscope("workgroup") monotonic
// CHECK: atomicrmw {{umax|max}} {{.*}} syncscope("agent") acq_rel
// CHECK: atomicrmw or {{.*}} seq_cst
// CHECK: cmpxchg {{.*}} syncscope("agent") acq_rel
// CHECK: fence syncscope("workgroup") release
// CHECK: fence syncscope("agent") acquire
// PTX: atom.{{relaxed.cta|cta.relaxed|cta}}
// PTX: fence.{{acq_rel|sc}}.gpu
extern "C" __global__ void atomics(int* p, unsigned* q) {
  __hip_atomic_fetch_add(&p[0], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_max(&q[0], 7u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
  q[1] = __hip_atomic_fetch_or(&q[2], 7u, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);
  int expected = 3;
  p[1] = __hip_atomic_compare_exchange_strong(&p[2], &expected, 4, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  p[3] = expected;
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  p[4] = p[5];
}
