// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calling convention, by-value aggregates and launch bounds as each target wants them.
//
// RUN: %dump-after kernel_abi -t cuda:sm_90 2>&1 | FileCheck %s --check-prefix=NV
// RUN: %dump-after kernel_abi -t amdgpu:gfx942 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: %dump-after kernel_abi -t cpu 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: %dump-after kernel_abi -t cuda:sm_90 --group-size 32,4 2>&1 | FileCheck %s --check-prefix=FIXED
#include <lathe/device.h>

struct Inner {
  char tag;
  double weight;
};
struct Box {
  Inner inner;
  int n;
};

// NV: define ptx_kernel void @_Z4fill3BoxPd(ptr {{.*}}byval(%struct.Box) align 8 %{{.*}}, ptr {{.*}}) #[[NV:[0-9]+]]
// NV: attributes #[[NV]] = { {{.*}}"nvvm.maxntid"="256"{{.*}}"nvvm.minctasm"="2"
// FIXED: define ptx_kernel void @_Z4fill3BoxPd({{.*}}) #[[FIXED:[0-9]+]]
// FIXED: attributes #[[FIXED]] = { {{.*}}"nvvm.reqntid"="32,4,1"
// AMD: define amdgpu_kernel void @_Z4fill3BoxPd(ptr addrspace(4) {{.*}}byref(%struct.Box) align 8 %{{.*}}, ptr addrspace(1) {{.*}}) #[[AMD:[0-9]+]]
// AMD: attributes #[[AMD]] = { {{.*}}"amdgpu-flat-work-group-size"="1,256"
// CPU: define {{.*}}void @_Z4fill3BoxPd(ptr
LATHE_BOUNDS(256, 2) LATHE_KERNEL void fill(Box box, double* out) {
  const int i = int(lathe::global_id().x);
  if (i < box.n) out[i] = box.inner.weight + box.inner.tag;
}
