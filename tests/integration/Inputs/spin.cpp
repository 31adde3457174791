// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every group waits for the last one. The line numbers stand in stall.test.
#include <lathe/device.h>

LATHE_KERNEL void spin(volatile int* flag) {
  if (lathe::group_id().x + 1 == lathe::group_count().x) *flag = 1;
  while (*flag == 0) {
  }
}

LATHE_KERNEL void halfway(volatile int* flag) {
  while (lathe::group_id().x == 1 && *flag == 0) {
  }
  lathe::grid().barrier();
}
