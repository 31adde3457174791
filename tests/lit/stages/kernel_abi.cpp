// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calling convention, by-value aggregates and launch bounds as each target wants them.
//
// RUN: %dump-after kernel_abi -t cuda:sm_90 2>&1 | FileCheck %s --check-prefix=NV
// RUN: %dump-after kernel_abi -t amdgpu:gfx942 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: %dump-after launch_layout -t cpu 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: %dump-after kernel_abi -t cuda:sm_90 --group-size 32,4 2>&1 | FileCheck %s --check-prefix=FIXED
// RUN: %dump-after kernel_abi -t cuda:sm_90 2>&1 | FileCheck %s --check-prefix=PROMISES
// RUN: %dump-after kernel_abi -t spirv 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
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

// PROMISES: define ptx_kernel void @_Z8promisesPd({{.*}}) #[[PROMISES:[0-9]+]]
// PROMISES: attributes #[[PROMISES]] = { {{.*}}"nvvm.cluster_dim"="2,1,1" "nvvm.maxnreg"="40" "nvvm.reqntid"="64,2,1"
// ELSEWHERE: kernel_abi.cpp:[[#@LINE+1]]: warning: kernel 'promises': clusters of 2x1x1 groups were asked for
LATHE_CLUSTER(2) LATHE_MAX_REGISTERS(40) LATHE_GROUP_SIZE(64, 2) LATHE_KERNEL void promises(double* out) {
  out[lathe::global_id().x] = 1;
}
