// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points.h"

#include <lathe/device.h>

namespace demo {
LATHE_KERNEL void walk(Step step, Point* points, unsigned n) {
  const unsigned i = lathe::global_id().x;
  if (i < n) points[i].x += step.by * step.times * points[i].weight;
}
}  // namespace demo

// Parameters called like those of the generated function.
LATHE_KERNEL void clear(int* device, unsigned launch) {
  if (lathe::global_id().x < launch) device[lathe::global_id().x] = 0;
}
