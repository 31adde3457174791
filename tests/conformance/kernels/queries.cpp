// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel can ask of its compile, and of the clock.
#include <lathe/device.h>

LATHE_KERNEL void queries(long* out) {
  out[0] = lathe::target_is("cpu");
  out[1] = lathe::target_is("cuda");
  out[2] = lathe::target_is("amdgpu");
  out[3] = lathe::target_is("no-such-target");
  out[4] = lathe::arch_at_least(0);
  out[5] = lathe::arch_at_least(4000000000u);
  out[6] = lathe::param("width");
  out[7] = lathe::param("missing");
}

/// Each item's clock runs, however coarse its steps are: readings wait for the loop's memory.
LATHE_KERNEL void ticks(volatile int* data, int* out) {
  const unsigned i = lathe::global_id().x;
  const unsigned long start = lathe::clock();
  unsigned long end = start;
  for (int k = 0; k < 50 || (k < 10000 && end == start); ++k) {
    data[i] = data[i] + (k < 50);
    end = lathe::clock();
  }
  out[i] = end > start;
}
