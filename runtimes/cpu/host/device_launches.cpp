// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by items, kept until their grid has ended.
#include "runtimes/cpu/host/device_launches.h"

#include <algorithm>
#include <new>
#include <utility>

namespace lathe::detail {

std::uint32_t DeviceLaunches::add(const void* arguments, std::size_t bytes, DeviceLaunch launch) noexcept {
  constexpr std::uint32_t invalid = 1, noMemory = 2;
  const std::scoped_lock lock(mutex_);
  if (launch.grid.count() == 0 || launch.group.count() == 0) return status_ = invalid;
  try {
    const auto* const first = static_cast<const std::byte*>(arguments);
    launch.arguments.assign(first, first + bytes);
    launches_.push_back(std::move(launch));
  } catch (const std::bad_alloc&) {
    return status_ = noMemory;
  }
  return 0;
}

std::uint32_t DeviceLaunches::status() noexcept {
  const std::scoped_lock lock(mutex_);
  return std::exchange(status_, 0);
}

std::vector<DeviceLaunch> DeviceLaunches::take() {
  std::stable_partition(launches_.begin(), launches_.end(), [](const DeviceLaunch& one) { return !one.last; });
  return std::exchange(launches_, {});
}

}  // namespace lathe::detail
