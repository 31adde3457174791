// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <lathe/device.h>

LATHE_KERNEL void saxpy(unsigned n, float a, const float* x, float* y) {
  const unsigned i = lathe::global_id().x;
  if (i < n) y[i] += a * x[i];
}
