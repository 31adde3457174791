// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that the groups of a launch launch (device ABI, `launch`). They run when their grid has ended: nothing that a
// group may do waits for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include <lathe/runtime.h>

namespace lathe::detail {

/// One launch by an item.
struct DeviceLaunch {
  struct Free {
    void operator()(std::byte* block) const noexcept { std::free(block); }
  };
  void* code = nullptr;  ///< the kernel's group entry
  std::unique_ptr<std::byte, Free> arguments;
  std::size_t argumentBytes = 0;
  Extent3 grid, group;
  std::uint32_t dynamicSharedBytes = 0;
  bool last = false;  ///< behind all that the grid launches, and what that launches
};

/// What the groups of one grid launch. Thread-safe, but for take().
class DeviceLaunches {
 public:
  /// Memory for the arguments of one launch; null without any.
  [[nodiscard]] void* arguments(std::size_t align, std::size_t bytes) noexcept;
  /// Takes a launch whose arguments are what arguments() gave. 0, or why not: 1, an extent is zero or the arguments are
  /// unknown; 2, there is no memory.
  std::uint32_t add(void* arguments, DeviceLaunch launch) noexcept;
  /// What the latest add() without success returned; forgets it.
  [[nodiscard]] std::uint32_t status() noexcept;
  /// Moves the launches out, in the order in which they are to run. The groups have ended.
  [[nodiscard]] std::vector<DeviceLaunch> take();
  /// Whether there are none. The groups have ended.
  [[nodiscard]] bool empty() const noexcept { return launches_.empty(); }

 private:
  std::mutex mutex_;
  std::vector<DeviceLaunch> prepared_;  ///< arguments only
  std::vector<DeviceLaunch> launches_;
  std::uint32_t status_ = 0;
};

}  // namespace lathe::detail
