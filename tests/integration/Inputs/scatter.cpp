// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <lathe/device.h>

LATHE_KERNEL void scatter(int* data, unsigned long stride) {
  const unsigned long i = lathe::global_id().x;
  if (i == 0) return;
  data[i * stride] = int(i);
}
