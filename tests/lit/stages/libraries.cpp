// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device libraries are linked to a fixpoint, the switches they read are folded, and every function, theirs included,
// carries the job's processor: without it nothing of a library inlines.
//
// RUN: %dump-after libraries -t cuda:sm_80 > %t.nv && %dump-after libraries -t amdgpu:gfx942 > %t.amd
// RUN: FileCheck %s --check-prefix=NV --implicit-check-not="call i32 @__nvvm_reflect" < %t.nv
// RUN: FileCheck %s --check-prefix=AMD < %t.amd
#include <lathe/device.h>

// NV: call {{.*}}float @__nv_sinf(
// NV: call {{.*}}float @__nv_powf(
// NV-DAG: {{^}}define internal {{.*}}float @__nv_sinf(
// NV-DAG: {{^}}define internal {{.*}}float @__nv_powf(
// AMD: call {{.*}}float @_Z3sinf(
// AMD: call {{.*}}float @_Z3powff(
// AMD-DAG: {{^}}define internal {{.*}}float @_Z3sinf(
// AMD-DAG: {{^}}define internal {{.*}}float @_Z3powff(
LATHE_KERNEL void wave(int n, const float* x, float* y) {
  const int i = int(lathe::global_id().x);
  if (i < n) y[i] = powf(sinf(x[i]), 1.5f);
}

// Nothing but the kernel stays visible.
// RUN: grep '^define' %t.nv | grep -v internal | FileCheck %s --check-prefix=VISIBLE --implicit-check-not=define
// RUN: grep '^define' %t.amd | grep -v internal | FileCheck %s --check-prefix=VISIBLE --implicit-check-not=define
// VISIBLE: define void @_Z4waveiPKfPf

// The attributes of each function that has a body name the processor.
// RUN: sed -n 's/^define .* #\([0-9]*\) .*/^attributes #\1 = /p' %t.nv | sort -u > %t.used
// RUN: grep -f %t.used %t.nv | FileCheck %s --check-prefix=PROCESSOR -DNAME=sm_80
// RUN: grep -f %t.used %t.nv | grep -v '"target-cpu"="sm_80"' | count 0
// RUN: sed -n 's/^define .* #\([0-9]*\) .*/^attributes #\1 = /p' %t.amd | sort -u > %t.used
// RUN: grep -f %t.used %t.amd | FileCheck %s --check-prefix=PROCESSOR -DNAME=gfx942
// RUN: grep -f %t.used %t.amd | grep -v '"target-cpu"="gfx942"' | count 0
// PROCESSOR: "target-cpu"="[[NAME]]"
