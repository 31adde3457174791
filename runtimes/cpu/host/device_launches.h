// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that the groups of a launch launch (device ABI, `launch`). They run when their grid has ended: nothing that a
// group may do waits for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <lathe/runtime.h>

namespace lathe::detail {

/// One launch by an item.
struct DeviceLaunch {
  void* code = nullptr;  ///< the kernel's group entry
  std::vector<std::byte> arguments;
  Extent3 grid, group;
  std::uint32_t dynamicSharedBytes = 0;
  bool last = false;  ///< behind all that the grid launches, and what that launches
};

/// What the groups of one grid launch. Thread-safe, but for take().
class DeviceLaunches {
 public:
  /// Takes a launch and copies its arguments. 0, or why not: 1, an extent is zero; 2, there is no memory.
  std::uint32_t add(const void* arguments, std::size_t bytes, DeviceLaunch launch) noexcept;
  /// What the latest add() without success returned; forgets it.
  [[nodiscard]] std::uint32_t status() noexcept;
  /// Moves the launches out, in the order in which they are to run. The groups have ended.
  [[nodiscard]] std::vector<DeviceLaunch> take();
  /// Whether there are none. The groups have ended.
  [[nodiscard]] bool empty() const noexcept { return launches_.empty(); }

 private:
  std::mutex mutex_;
  std::vector<DeviceLaunch> launches_;
  std::uint32_t status_ = 0;
};

}  // namespace lathe::detail
