// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by items, kept until their grid has ended.
#include "runtimes/cpu/host/device_launches.h"

#include <algorithm>
#include <new>

namespace lathe::detail {

void* DeviceLaunches::arguments(std::size_t align, std::size_t bytes) noexcept {
  align = std::max(align, alignof(std::max_align_t));
  const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + align - 1) / align * align;
  if (rounded < bytes) return nullptr;
  DeviceLaunch prepared;
  prepared.arguments.reset(static_cast<std::byte*>(std::aligned_alloc(align, rounded)));
  prepared.argumentBytes = bytes;
  void* const out = prepared.arguments.get();
  if (!out) return nullptr;
  try {
    const std::scoped_lock lock(mutex_);
    prepared_.push_back(std::move(prepared));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return out;
}

std::uint32_t DeviceLaunches::add(void* arguments, DeviceLaunch launch) noexcept {
  constexpr std::uint32_t invalid = 1, noMemory = 2;
  const std::scoped_lock lock(mutex_);
  // Latest first: an item launches right after it has asked for memory.
  const auto prepared = std::find_if(prepared_.rbegin(), prepared_.rend(),
                                     [&](const DeviceLaunch& one) { return one.arguments.get() == arguments; });
  if (prepared == prepared_.rend() || launch.grid.count() == 0 || launch.group.count() == 0)
    return status_ = invalid;
  launch.arguments = std::move(prepared->arguments);
  launch.argumentBytes = prepared->argumentBytes;
  *prepared = std::move(prepared_.back());
  prepared_.pop_back();
  try {
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
