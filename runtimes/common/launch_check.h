// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a launch is possible, decided the same way for every runtime and before anything is queued.
#pragma once

#include <cstdint>

#include <lathe/runtime.h>

namespace lathe::detail {

/// What one loaded kernel can be launched with on its device.
struct LaunchLimits {
  std::uint32_t maxItems = 0;  ///< in a group
  Extent3 maxGroup;
  Extent3 maxGrid;
  std::uint32_t sharedBytes = 0;                 ///< static, of the kernel
  std::uint32_t maxSharedBytes = 0;              ///< static plus dynamic, of the device
  std::uint64_t maxItemsAlongAxis = UINT64_MAX;  ///< groups × items of a group, along each axis
  bool gridBarriers = false;
  std::uint32_t maxCluster = 1;  ///< groups
};

/// The device's limits, less what `entry` promised and uses.
[[nodiscard]] LaunchLimits limitsOf(const DeviceInfo& device, const EntryPoint& entry);

/// Allocates nothing unless it fails. Errors: LaunchInvalid.
[[nodiscard]] Result<void> checkLaunch(const EntryPoint& entry, const LaunchLimits& limits,
                                       const LaunchOptions& options);

}  // namespace lathe::detail
