// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <vector>

#include "kernels.h"

int main() {
  std::vector<float> x(1000, 20.0f), y(1000, 2.0f);
  lathe_launch launch = {};
  launch.grid[0] = 4;
  launch.group[0] = 256;
  if (kernels::saxpy(launch, 1000, 2.0f, x.data(), y.data()) != LATHE_LAUNCH_DONE) return 1;
  std::printf("%g\n", y.back());
  return 0;
}
