// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches kernels of two sources that are one program.
#include <cstdio>

#include "kernels.h"

int main() {
  const auto device = lathe::Device::open("cpu");
  if (!device) return 1;
  float y[2] = {2, 0};
  if (!kernels::solve(*device, {.group = {1}}, 1, y) || !kernels::factor_of(*device, {.group = {1}}, y + 1)) return 1;
  if (!device->synchronize() || y[1] != 2) return 1;
  std::printf("%g\n", static_cast<double>(y[0]));
}
