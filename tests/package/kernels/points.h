// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that host and kernels share.
#pragma once

namespace demo {
struct Point {
  double x;
  float weight;
};
struct Step {
  double by;
  int times;
};
}  // namespace demo
