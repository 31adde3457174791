// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread takes a range of groups, numbered with x running fastest, and runs them row by row on its own blocks.
#include "runtimes/cpu/grid.h"

#include <algorithm>
#include <atomic>

namespace lathe::detail {
namespace {

/// One thread's memory for the group it runs; kept from launch to launch, freed with the thread.
struct GroupBlocks {
  GrowingBlock shared;
  GrowingBlock context;
};

bool runRange(const Grid& grid, const HostLaunch& host, std::uint64_t first, std::uint64_t last) noexcept {
  static thread_local GroupBlocks blocks;
  abi::GroupLaunch launch{.groupId = {},
                          .groupSize = {grid.items.x, grid.items.y, grid.items.z},
                          .groupCount = {grid.groups.x, grid.groups.y, grid.groups.z},
                          .dynamicSharedBytes = grid.dynamicSharedBytes,
                          .groups = 0,
                          .reserved = 0,
                          .shared = blocks.shared.require(grid.sharedBytes),
                          .context = blocks.context.require(grid.contextBytes)};
  if ((grid.sharedBytes != 0 && !launch.shared) || (grid.contextBytes != 0 && !launch.context)) return false;
  const std::uint64_t row = grid.groups.x, plane = row * grid.groups.y;
  launch.groupId[0] = static_cast<std::uint32_t>(first % row);
  launch.groupId[1] = static_cast<std::uint32_t>(first % plane / row);
  launch.groupId[2] = static_cast<std::uint32_t>(first / plane);
  for (std::uint64_t group = first; group < last && !host.stopped(); group += launch.groups) {
    launch.groups = static_cast<std::uint32_t>(std::min(row - launch.groupId[0], last - group));
    grid.entry(grid.parameters, &launch);
    launch.groupId[0] = 0;
    if (++launch.groupId[1] < launch.groupCount[1]) continue;
    launch.groupId[1] = 0;
    ++launch.groupId[2];
  }
  return true;
}

}  // namespace

bool runGrid(const GroupScheduler& scheduler, const Grid& grid, HostLaunch& launch) {
  std::atomic<bool> complete = true;
  try {
    scheduler.run(grid.groups.count(), [&](std::uint64_t first, std::uint64_t last) {
      launch.run([&] {
        if (!runRange(grid, launch, first, last)) complete.store(false, std::memory_order_relaxed);
      });
    });
  } catch (const std::bad_alloc&) {  // the scheduler's own tasks
    return false;
  }
  return complete;
}

}  // namespace lathe::detail
