// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `lathe demo` runs: for each kernel of examples/demo/demo.cpp its inputs, its launch, and the host's own answer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/lathe/arguments/launch.h"

namespace lathe::tool {

struct Workload {
  std::string kernel;
  LaunchPlan plan;
  std::vector<Argument> arguments;
  std::size_t output = 0;        ///< the argument to compare
  std::vector<double> expected;  ///< by the host
  double tolerance = 0;          ///< of the error, which is relative to the largest expected magnitude
};

/// The picture's size, in points.
inline constexpr std::uint32_t pictureWidth = 1200;
inline constexpr std::uint32_t pictureHeight = 800;

[[nodiscard]] std::vector<Workload> demoWorkloads();
/// Largest |got - expected| over the largest |expected|; infinite if a result is not a number.
[[nodiscard]] double maxError(const Workload& workload, const Array& got);
/// Colours for the Mandelbrot kernel's step counts, 3 bytes a point.
[[nodiscard]] std::vector<std::uint8_t> pictureOf(const Array& steps);
/// The text of examples/demo/demo.cpp.
[[nodiscard]] std::string_view demoSource();

}  // namespace lathe::tool
