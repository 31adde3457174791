// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device libraries are linked to a fixpoint, the switches they read are folded, and every function, theirs included,
// carries the job's processor: without it nothing of a library inlines.
//
// RUN: %dump-after libraries -t cuda:sm_80 2> %t.nv && %dump-after libraries -t amdgpu:gfx942 2> %t.amd
// RUN: FileCheck %s --check-prefix=NV --implicit-check-not="call i32 @__nvvm_reflect" < %t.nv
// RUN: FileCheck %s --check-prefix=AMD < %t.amd
// Where no CUDA toolkit is, libraries_builtin.cpp tests what serves instead.
// REQUIRES: libdevice
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
// RUN: grep -f %t.used %t.nv > %t.nv.attributes && not grep -v '"target-cpu"="sm_80"' %t.nv.attributes
// RUN: sed -n 's/^define .* #\([0-9]*\) .*/^attributes #\1 = /p' %t.amd | sort -u > %t.used
// RUN: grep -f %t.used %t.amd > %t.amd.attributes && not grep -v '"target-cpu"="gfx942"' %t.amd.attributes
