// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Select keeps what the asked kernels reach and the variables the host may set; the rest becomes internal or goes.
//
// RUN: %dump-after select -k chosen 2>&1 | FileCheck %s --implicit-check-not=ignored --implicit-check-not=orphan
#include <lathe/device.h>

// CHECK-DAG: @visible = externally_initialized global i32 3
LATHE_GLOBAL int visible = 3;
static int orphan_table[4] = {1, 2, 3, 4};

int orphan(int i) { return orphan_table[i & 3]; }
// CHECK-DAG: define internal {{.*}}i32 @_Z6neededi
__attribute__((noinline)) int needed(int x) { return 3 * x; }

// CHECK-DAG: define void @_Z6chosenPi
LATHE_KERNEL void chosen(int* out) { *out = needed(*out); }
LATHE_KERNEL void ignored(int* out) { *out = orphan(*out); }
