// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running one kernel on one device with arguments that live on the host.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <lathe/runtime.h>

#include "tools/lathe/arguments/arguments.h"

namespace lathe::tool {

struct LaunchPlan {
  /// But for the stream, which launch() makes.
  LaunchOptions options;
  /// Timed launches after the first, on the same inputs.
  unsigned repeat = 0;
  /// Of an item; 0: the device's.
  std::size_t stackBytes = 0;
};

struct LaunchTimes {
  double first = 0;             ///< milliseconds of the launch that gave the results
  std::vector<double> repeats;  ///< of the timed ones, sorted
};

/// Opens a device of the runtime that launches `target`'s code. Errors: those of Device::open(), and Unsupported if
/// there is no such runtime.
[[nodiscard]] Result<Device> openLaunchDevice(const std::string& runtime, const std::string& target, int index);

/// Copies every array in, launches once, copies back the arrays numbered in `outputs`, then restores the inputs and
/// repeats. Errors: those of the runtime, and InvalidArgument for an output that is no array.
[[nodiscard]] Result<LaunchTimes> launch(const Device& device, const RawKernel& kernel, const LaunchPlan& plan,
                                         std::vector<Argument>& arguments, std::span<const std::size_t> outputs);

/// The middle of sorted values; the lower one of an even number.
[[nodiscard]] double medianOf(const std::vector<double>& sorted);

}  // namespace lathe::tool
