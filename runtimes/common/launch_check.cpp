// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch options against a kernel's limits. The message names the kernel, what was asked, what is possible.
#include "runtimes/common/launch_check.h"

#include <algorithm>

#include <fmt/format.h>

namespace lathe::detail {
namespace {

template <class... Args>
Error invalid(const EntryPoint& entry, fmt::format_string<Args...> format, Args&&... args) {
  return {.code = ErrorCode::LaunchInvalid,
          .message = fmt::format("kernel '{}': {}", entry.name, fmt::format(format, std::forward<Args>(args)...))};
}

std::string text(const Extent3& extent) {
  return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

bool fits(const Extent3& extent, const Extent3& most) {
  return extent.x <= most.x && extent.y <= most.y && extent.z <= most.z;
}

bool isEmpty(const Extent3& extent) {
  return extent.x == 0 || extent.y == 0 || extent.z == 0;
}

Result<void> checkCluster(const EntryPoint& entry, const LaunchLimits& limits, const LaunchOptions& options) {
  const Extent3& cluster = options.cluster;
  if (isEmpty(cluster)) return invalid(entry, "a cluster of {} has no groups", text(cluster));
  if (limits.maxCluster == 1)
    return invalid(entry, "a cluster of {} groups was asked of a device that has no clusters", text(cluster));
  if (!fits(cluster, options.grid) || cluster.count() > limits.maxCluster)
    return invalid(entry, "a cluster of {} groups is larger than {}", text(cluster),
                   fits(cluster, options.grid) ? fmt::format("the device's {}", limits.maxCluster)
                                               : fmt::format("the grid of {}", text(options.grid)));
  if (options.grid.x % cluster.x != 0 || options.grid.y % cluster.y != 0 || options.grid.z % cluster.z != 0)
    return invalid(entry, "a cluster of {} groups does not divide the grid of {}", text(cluster), text(options.grid));
  return {};
}

/// What the kernel says of clusters against what the launch asks for.
Result<void> checkClusterBounds(const EntryPoint& entry, const LaunchLimits& limits, const LaunchOptions& options) {
  const auto& size = entry.cluster.size;
  if (size[0] == 0) {
    if (entry.cluster.most != 0 && options.cluster.count() > entry.cluster.most)
      return invalid(entry, "a cluster of {} groups is larger than {}, the most it was compiled for",
                     text(options.cluster), entry.cluster.most);
    return options.cluster == Extent3{} ? Result<void>{} : checkCluster(entry, limits, options);
  }
  const Extent3 fixed{size[0], size[1], size[2]};
  if (options.cluster != Extent3{} && options.cluster != fixed)
    return invalid(entry, "a cluster of {} groups differs from {}, the size it was compiled for", text(options.cluster),
                   text(fixed));
  LaunchOptions asIs = options;
  asIs.cluster = fixed;
  return fixed == Extent3{} ? Result<void>{} : checkCluster(entry, limits, asIs);
}

}  // namespace

LaunchLimits limitsOf(const DeviceInfo& device, const EntryPoint& entry) {
  LaunchLimits out{device.maxItemsPerGroup, device.maxGroup, device.maxGrid, 0, device.maxSharedBytes};
  out.gridBarriers = device.gridBarriers;
  out.maxCluster = device.maxCluster;
  if (entry.bounds.maxItems != 0) out.maxItems = std::min(out.maxItems, entry.bounds.maxItems);
  // More than 32 bits of static shared memory fit no device; saturated, the check below says so.
  out.sharedBytes = static_cast<std::uint32_t>(std::clamp<std::int64_t>(entry.resources.sharedBytes, 0, UINT32_MAX));
  return out;
}

Result<void> checkLaunch(const EntryPoint& entry, const LaunchLimits& limits, const LaunchOptions& options) {
  if (isEmpty(options.grid))
    return invalid(entry, "a grid of {} has no groups; make every extent at least 1", text(options.grid));
  if (isEmpty(options.group))
    return invalid(entry, "a group of {} has no items; make every extent at least 1", text(options.group));
  const auto& fixed = entry.bounds.groupSize;
  if (fixed[0] != 0 && options.group != Extent3{fixed[0], fixed[1], fixed[2]}) {
    return invalid(entry, "a group of {} differs from {}, the size it was compiled for", text(options.group),
                   text({fixed[0], fixed[1], fixed[2]}));
  }
  // Extents first: their product may not fit into 64 bits.
  if (!fits(options.group, limits.maxGroup))
    return invalid(entry, "a group of {} is larger than the device's {}", text(options.group), text(limits.maxGroup));
  if (options.group.count() > limits.maxItems) {
    return invalid(entry, "a group of {} items is larger than {}, the most {}", options.group.count(), limits.maxItems,
                   entry.bounds.maxItems == limits.maxItems ? "it was compiled for" : "the device can run of it");
  }
  if (!fits(options.grid, limits.maxGrid))
    return invalid(entry, "a grid of {} groups is larger than the device's {}", text(options.grid),
                   text(limits.maxGrid));
  const auto along = [&](std::uint32_t groups, std::uint32_t items) { return std::uint64_t{groups} * items; };
  if (std::max({along(options.grid.x, options.group.x), along(options.grid.y, options.group.y),
                along(options.grid.z, options.group.z)}) > limits.maxItemsAlongAxis) {
    return invalid(entry, "a grid of {} groups of {} has more than {} items along an axis; use several launches",
                   text(options.grid), text(options.group), limits.maxItemsAlongAxis);
  }
  if (std::uint64_t{limits.sharedBytes} + options.dynamicSharedBytes > limits.maxSharedBytes) {
    return invalid(entry, "{} bytes of dynamic and {} of static shared memory are more than the device's {}",
                   options.dynamicSharedBytes, limits.sharedBytes, limits.maxSharedBytes);
  }
  if (options.cooperative && !limits.gridBarriers)
    return invalid(entry, "this device's runtime takes no cooperative launches (DeviceInfo::gridBarriers)");
  return checkClusterBounds(entry, limits, options);
}

}  // namespace lathe::detail
