// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics keep order and scope on NVIDIA GPUs: what nvcc 13.0 writes for the same source (space and type aside, whose
// place in the name differs). Before Volta PTX has scopes and no orders: fences order.
//
// RUN: %compile %s -t cuda:sm_75 --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %compile %s -t cuda:sm_75 -O0 --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %compile %s -t cuda:sm_60 --emit ptx -o - | FileCheck %s --check-prefix=PASCAL
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %compile %s -t amdgpu --emit ir -o - | FileCheck %s --check-prefix=AMD
#include <cuda/atomic>

using namespace cuda;

// PTX-LABEL: .entry _Z7classesPjPf(
// PASCAL-LABEL: .entry _Z7classesPjPf(
// AMD-LABEL: @_Z7classesPjPf(
__global__ void classes(unsigned* x, float* f) {
  atomic_ref<unsigned, thread_scope_block> block(x[0]);
  // PTX: fence.sc.cta
  // PTX: atom.acquire.cta{{.*}}add.u32
  // PASCAL: membar.cta
  // PASCAL: atom.cta{{.*}}add.u32
  // PASCAL: membar.cta
  // AMD: atomicrmw add {{.*}} syncscope("workgroup") seq_cst
  x[1] = block.fetch_add(1, memory_order_seq_cst);
  atomic_ref<unsigned, thread_scope_system> all(x[2]);
  // PTX: atom.acq_rel.sys{{.*}}add.u32
  // AMD: atomicrmw sub {{.*}} acq_rel
  x[3] = all.fetch_sub(1, memory_order_acq_rel);
  // PTX: atom.release.sys{{.*}}max.u32
  // PASCAL: membar.sys
  // PASCAL: atom.sys{{.*}}max.u32
  // AMD: atomicrmw umax {{.*}} release
  x[4] = all.fetch_max(1, memory_order_release);
  // PTX: atom.relaxed.sys{{.*}}xor.b32
  // AMD: atomicrmw xor {{.*}} monotonic
  x[5] = all.fetch_xor(1, memory_order_relaxed);
  // PTX: atom.acquire.sys{{.*}}exch.b32
  x[6] = all.exchange(1, memory_order_consume);
  atomic_ref<float, thread_scope_device> number(f[0]);
  // PTX: atom.acquire.gpu{{.*}}add.f32
  f[1] = number.fetch_add(1, memory_order_acquire);
  unsigned expected = 3;
  // PTX: atom.acq_rel.gpu{{.*}}cas.b32
  // AMD: cmpxchg {{.*}} syncscope("agent") acq_rel acquire
  x[7] = atomic_ref<unsigned, thread_scope_device>(x[8]).compare_exchange_strong(expected, 1, memory_order_release,
                                                                                   memory_order_acquire);
  // PTX: fence.acq_rel.cta
  // AMD: fence syncscope("workgroup") acquire
  atomic_thread_fence(memory_order_acquire, thread_scope_block);
  x[9] = expected;
}

// PTX-LABEL: .entry _Z9functionsPj(
// AMD-LABEL: @_Z9functionsPj(
__global__ void functions(unsigned* x) {
  __shared__ unsigned own;
  own = 0;
  // PTX: atom.acq_rel.cta{{.*}}add.u32
  x[0] = __nv_atomic_fetch_add(&own, 1, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  // PTX: fence.sc.sys
  // PTX: atom.acquire.sys{{.*}}add.u32
  // AMD: atomicrmw add {{.*}} seq_cst
  __nv_atomic_add(x + 1, 1, __NV_ATOMIC_SEQ_CST);
  // PTX: ld.acquire.cta{{.*}}b32
  // AMD: load atomic {{.*}} syncscope("workgroup") acquire
  x[2] = __nv_atomic_load_n(x + 3, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
  // PTX: atom{{.*}}.sys{{.*}}add.u32
  x[4] = atomicAdd_system(x + 5, 3);
  // PTX: atom{{.*}}.cta{{.*}}dec.u32
  x[6] = atomicDec_block(x + 7, 4);
  // PTX: atom{{(.relaxed.gpu)?}}.global.min.u32
  x[8] = atomicMin(x + 9, 4);
}

// An order that only the run knows: one instruction each.
// PTX-LABEL: .entry _Z5laterPjN4cuda12memory_orderE
// PTX-DAG: atom.acquire.gpu
// PTX-DAG: atom.release.gpu
// PTX-DAG: atom.acq_rel.gpu
// PTX-DAG: fence.sc.gpu
__global__ void later(unsigned* x, memory_order order) {
  x[1] = atomic_ref<unsigned, thread_scope_device>(x[0]).fetch_add(1, order);
}
