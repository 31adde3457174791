// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry ABI `state`: one hidden, last argument, handed down to the functions that ask for it, and only to them.
//
// RUN: %dump-after kernel_abi -t cuda:sm_90 --entry-abi state 2>&1 | FileCheck %s --check-prefixes=ALL,NV
// RUN: %dump-after kernel_abi -t amdgpu:gfx942 --entry-abi state 2>&1 | FileCheck %s --check-prefixes=ALL,AMD
// RUN: %dump-after kernel_state -t cpu --entry-abi state 2>&1 | FileCheck %s --check-prefixes=ALL,CPU
// RUN: %dump-after kernel_abi -t cuda:sm_90 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: %compile %s -t cuda:sm_90 --entry-abi state --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %compile %s -t amdgpu:gfx942 --entry-abi state --emit asm -o - | FileCheck %s --check-prefix=GCN
// RUN: not %compile %s -t null --entry-abi state -o %t.none 2>&1 | FileCheck %s --check-prefix=NONE
#include <lathe/device.h>
#include <cassert>
#include <cstdio>

// NONE: null: its kernels cannot be given a state
// NONE: use the entry ABI 'bare'

// BARE-NOT: lathe.state
// ALL: %lathe.state = type { ptr, ptr, i64, ptr }

// ALL-LABEL: define {{.*}} @_Z5quieti(i32 {{[^,]*}}) 
__attribute__((noinline)) int quiet(int n) {
  return n * 3;
}
// ALL-LABEL: define {{.*}} @_Z4loudi(i32 {{[^,]*}}, ptr noundef readonly align 8 %state)
__attribute__((noinline)) int loud(int n) {
  assert(n > 0);
  return n;
}
// A recursive one, and one that only passes the state on.
// ALL-LABEL: define {{.*}} @_Z5againi(i32 {{[^,]*}}, ptr noundef readonly align 8 %state)
__attribute__((noinline)) int again(int n) {
  // ALL: call {{.*}} @_Z4loudi(i32 {{[^,]*}}, ptr {{[^,]*}}%state)
  // ALL: call {{.*}} @_Z5againi(i32 {{[^,]*}}, ptr {{[^,]*}}%state)
  return n < 2 ? loud(n) : again(n - 1);
}

// NV: define ptx_kernel void @_Z1kPi(ptr addrspace(1) {{[^,]*}}, ptr noundef readonly byval(%lathe.state) align 8 %state)
// AMD: define amdgpu_kernel void @_Z1kPi(ptr addrspace(1) {{[^,]*}}, ptr addrspace(4) noundef {{.*}}byref(%lathe.state) align 8 %state)
// CPU: define void @_Z1kPi(ptr {{[^,]*}}, ptr noundef readonly byval(%lathe.state) align 8 %state)
LATHE_KERNEL void k(int* out) {
  // ALL: call {{.*}} @_Z5quieti(i32 {{[^,]*}})
  // ALL: call {{.*}} @_Z5againi(i32 {{[^,]*}}, ptr
  *out = quiet(*out) + again(*out);
}

// A kernel that needs no state has it all the same: the argument depends on the job, not on the kernel.
// NV: define ptx_kernel void @_Z5plainPi(ptr addrspace(1) {{[^,]*}}, ptr noundef readonly byval(%lathe.state) align 8 %state)
LATHE_KERNEL void plain(int* out) {
  *out = 1;
}

// The failing item ends alone, and nothing traps: the context lives.
// PTX: .func {{.*}}_Z4loudi(
// PTX: exit;
// PTX: .entry _Z1kPi(
// PTX-NEXT: .param .u64 .ptr .global
// PTX-NEXT: .param .align 8 .b8 _Z1kPi_param_1[32]
// GCN: s_endpgm
