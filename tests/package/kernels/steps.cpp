// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "demo_device.h"

lathe::Result<void> walkAll(const lathe::Device& device, demo::Point* points, unsigned n) {
  return demo::device::demo::walk(device, {.grid = {n}, .group = {1}}, demo::Step{1.0, 2}, points, n);
}
