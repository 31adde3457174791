// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Late lowering serves what the optimiser made: a loop that it turned into a memset must end in code, not in a call that
// no GPU defines, and a trap survives until here.
//
// RUN: %dump-after late -t cuda 2>&1 | FileCheck %s --check-prefix=NV
// RUN: %compile %s -t cuda --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %compile %s -t amdgpu --emit asm -o - | FileCheck %s --check-prefix=AMD
#include <lathe/device.h>

// NV-LABEL: define ptx_kernel void @_Z5clearPfj
// NV: ret void
// PTX-NOT: memset
// AMD-NOT: memset
LATHE_KERNEL void clear(float* out, unsigned n) {
  for (unsigned i = 0; i < n; ++i) out[i] = 0;
}

// NV-LABEL: define ptx_kernel void @_Z5checkPi
// NV: call void @llvm.trap()
// PTX-LABEL: .entry _Z5checkPi
// PTX: trap;
// AMD-LABEL: _Z5checkPi:
// AMD: s_trap
LATHE_KERNEL void check(int* out) {
  if (*out < 0) lathe::trap();
  *out += 1;
}
