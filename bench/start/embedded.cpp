// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bench_start_lathe N: one saxpy by an image that is linked in, from the process's start to the end of the launch.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lathe/runtime.h>

#include "start_kernel.h"

int main(int count, char** arguments) {
  const unsigned n = count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 1024;
  const std::vector<float> x(n, 1.0f);
  std::vector<float> y(n, 3.0f);
  const auto device = lathe::Device::open("cpu");
  if (!device) return 2;
  if (!kernels::saxpy(*device, {.grid = {(n + 255) / 256}, .group = {256}}, n, 2.0f, x.data(), y.data())) return 3;
  if (!device->synchronize()) return 4;
  for (const float value : y) {
    if (value != 5.0f) return 1;
  }
  std::puts("done");
  return 0;
}
