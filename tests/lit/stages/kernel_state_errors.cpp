// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state travels to functions that are called through pointers, and structures cannot be printed.
//
// RUN: %compile %s -t cuda:sm_90 --entry-abi state -O 0 --emit ir -o - | FileCheck %s --check-prefix=POINTER
// RUN: %compile %s -t cuda:sm_90 -o %t
// RUN: not %compile %s -t cpu -DSTRUCTURE -o %t 2>&1 | FileCheck %s --check-prefix=STRUCTURE
#include <lathe/device.h>
#include <cassert>
#include <cstdio>

// POINTER: define {{.*}} @_Z1kiiPi({{.*}}byval
// POINTER: switch i64
// POINTER: call {{.*}}@_Z7checkedi(i32 {{.*}}, ptr
int checked(int n) {
  assert(n > 0);
  return n;
}
int plain(int n) {
  return n + 1;
}

struct Four {
  double a[4];
};

LATHE_KERNEL void k(int which, int n, int* out) {
  int (*const table[])(int) = {checked, plain};
  *out = table[which & 1](n);
#ifdef STRUCTURE
  // STRUCTURE: kernel_state_errors.cpp:[[# @LINE + 2]]:{{.*}}error: printf: argument 2 is neither a number nor a
  // pointer STRUCTURE: print its members one by one
  printf("%d %d\n", n, Four{});
#endif
}
