// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics of 128 bits are instructions where a processor has them, and elsewhere an error that says so with its line;
// additions of two small numbers are instructions, or a loop.
//
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s --check-prefix=HOPPER
// HOPPER: .version 8.3
// HOPPER-DAG: atom{{.*}}.cas.b128
// HOPPER-DAG: atom{{.*}}.exch.b128
// HOPPER-DAG: fence.sc
// HOPPER-DAG: atom.add.noftz.f16x2
// HOPPER-DAG: atom.add.noftz.bf16x2
// RUN: %compile %s -t object:x86-64-v3 --emit asm -o - | FileCheck %s --check-prefix=X86
// X86: cmpxchg16b
// RUN: not %compile %s -t cuda:sm_80 2>&1 | FileCheck %s --check-prefixes=ABSENT,AMPERE
// RUN: not %compile %s -t amdgpu 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not %compile %s -t spirv 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not %compile %s -t object:x86-64 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: %compile %s -t cuda:sm_60 -D ONLY_SMALL --emit ptx -o - | FileCheck %s --check-prefix=PASCAL
// PASCAL-DAG: atom.add.noftz.f16x2
// PASCAL-NOT: bf16x2
// PASCAL-DAG: cas.b32
// RUN: %compile %s -t amdgpu -D ONLY_SMALL --emit asm -o - | FileCheck %s --check-prefix=AMD
// AMD: cmpswap
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct alignas(16) Wide {
  long a, b;
};

__global__ void small(__half2* h, __nv_bfloat162* b) {
  atomicAdd(h, __half2(1.0f, 2.0f));
  atomicAdd(b, __nv_bfloat162(1.0f, 2.0f));
}
#ifndef ONLY_SMALL
// ABSENT: wide_atomics.cu:[[#@LINE+3]]:{{.*}}error: atomic_exchange_i128 {{.*}} does not exist on
// FEATURE: wide_atomics.cu:[[#@LINE+2]]:{{.*}}error: an atomic operation on 128 bits on object:x86-64
__global__ void wide(Wide* p) {
  Wide old = atomicExch(&p[0], Wide{1, 2});
  cuda::atomic_ref<Wide, cuda::thread_scope_device>(p[1]).compare_exchange_strong(old, Wide{3, 4});
}
// ABSENT: note: in kernel 'wide(Wide*)'
// AMPERE: note: targets that have it: {{.*}}cuda:sm_1
#endif
