// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scalar flag in shared memory, a barrier, and -O3. Were the flag in the space of generic pointers, or its function
// marked norecurse, the optimiser would forward the store past the barrier and delete the communication.
//
// RUN: %compile %s -t cuda -O 3 --emit ptx -o - | FileCheck %s --check-prefix=NV
// RUN: %compile %s -t amdgpu -O 3 --emit asm -o - | FileCheck %s --check-prefix=AMD
// RUN: %lathe run %s -k flag --target cpu --grid 3 --group 40 --arg zeros:u32[120] --print 0:120 | FileCheck %s --check-prefix=SEEN
// RUN: %dump-after optimise -t cpu -O 3 2>&1 | FileCheck %s --check-prefix=CPU
#include <lathe/device.h>

// NV: st.shared.{{[bu]}}32
// NV: bar{{.*}}.sync
// NV: ld.shared.{{[bu]}}32
// AMD: ds_{{write|store}}_b32
// AMD: s_barrier
// AMD: ds_{{read|load}}_b32
// The value is read from memory, not known.
// CPU: load i32, ptr %
// SEEN: seen u32[120]:{{( 7)+$}}
LATHE_KERNEL void flag(unsigned* seen) {
  LATHE_SHARED unsigned raised;
  if (lathe::item_id().x == 0) raised = 7;
  lathe::barrier();
  seen[lathe::global_id().x] = raised;
}
