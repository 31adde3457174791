// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state does not travel through pointers to functions, and structures cannot be printed.
//
// RUN: not %compile %s -t cuda:sm_90 --entry-abi state -o %t 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: %compile %s -t cuda:sm_90 -o %t
// RUN: not %compile %s -t cpu -DSTRUCTURE -o %t 2>&1 | FileCheck %s --check-prefix=STRUCTURE
#include <lathe/device.h>
#include <cassert>
#include <cstdio>

// POINTER: kernel_state_errors.cpp:[[# @LINE + 2]]:{{.*}}error: 'checked(int)' prints, asserts or traps, and is called
// through a pointer POINTER: compile with the entry ABI 'bare'
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
