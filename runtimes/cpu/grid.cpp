// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread takes a range of groups, numbered with x running fastest, and runs them one after another on its own blocks.
#include "runtimes/cpu/grid.h"

#include <atomic>

namespace lathe::detail {
namespace {

/// One thread's memory for the group it runs; kept from launch to launch, freed with the thread.
struct GroupBlocks {
  GrowingBlock shared;
  GrowingBlock context;
};

bool runRange(const Grid& grid, std::uint64_t first, std::uint64_t last) noexcept {
  static thread_local GroupBlocks blocks;
  abi::GroupLaunch launch{.groupId = {},
                          .groupSize = {grid.items.x, grid.items.y, grid.items.z},
                          .groupCount = {grid.groups.x, grid.groups.y, grid.groups.z},
                          .dynamicSharedBytes = grid.dynamicSharedBytes,
                          .shared = blocks.shared.require(grid.sharedBytes),
                          .context = blocks.context.require(grid.contextBytes)};
  if ((grid.sharedBytes != 0 && !launch.shared) || (grid.contextBytes != 0 && !launch.context)) return false;
  const std::uint64_t row = grid.groups.x, plane = row * grid.groups.y;
  for (std::uint64_t group = first; group < last; ++group) {
    launch.groupId[0] = static_cast<std::uint32_t>(group % row);
    launch.groupId[1] = static_cast<std::uint32_t>(group % plane / row);
    launch.groupId[2] = static_cast<std::uint32_t>(group / plane);
    grid.entry(grid.parameters, &launch);
  }
  return true;
}

}  // namespace

bool runGrid(const GroupScheduler& scheduler, const Grid& grid) {
  std::atomic<bool> complete = true;
  try {
    scheduler.run(grid.groups.count(), [&](std::uint64_t first, std::uint64_t last) {
      if (!runRange(grid, first, last)) complete.store(false, std::memory_order_relaxed);
    });
  } catch (const std::bad_alloc&) {  // the scheduler's own tasks
    return false;
  }
  return complete;
}

}  // namespace lathe::detail
