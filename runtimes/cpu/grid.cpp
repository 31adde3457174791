// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread takes a range of groups, numbered with x running fastest, and runs them row by row on its own blocks.
#include "runtimes/cpu/grid.h"
#include "runtimes/cpu/own_of_thread.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <exception>
#include <thread>
#include <vector>

namespace lathe::detail {
namespace {

/// So many rows for each thread are enough to balance threads by.
constexpr unsigned rowsEach = 4;

/// One thread's memory for the group it runs; kept from launch to launch, freed with the thread.
struct GroupBlocks {
  GrowingBlock shared;
  GrowingBlock context;
};

bool runRange(const Grid& grid, const HostLaunch& host, std::uint64_t first, std::uint64_t last) noexcept {
  abi::GroupLaunch launch{.groupId = {},
                          .groupSize = {grid.items.x, grid.items.y, grid.items.z},
                          .groupCount = {grid.groups.x, grid.groups.y, grid.groups.z},
                          .dynamicSharedBytes = grid.dynamicSharedBytes,
                          .groups = 0,
                          .reserved = 0,
                          .shared = nullptr,
                          .context = nullptr};
  if (grid.sharedBytes + grid.contextBytes != 0) {
    auto* const blocks = ownOfThread<GroupBlocks>();
    if (!blocks) return false;
    launch.shared = blocks->shared.require(grid.sharedBytes);
    launch.context = blocks->context.require(grid.contextBytes);
    if ((grid.sharedBytes != 0 && !launch.shared) || (grid.contextBytes != 0 && !launch.context)) return false;
  }
  HostLaunch::describeGroups(launch, grid.sharedBytes);
  const std::uint64_t row = grid.groups.x, plane = row * grid.groups.y;
  if (first != 0) {  // short launches are one range, and divisions are a large part of them
    launch.groupId[0] = static_cast<std::uint32_t>(first % row);
    launch.groupId[1] = static_cast<std::uint32_t>(first % plane / row);
    launch.groupId[2] = static_cast<std::uint32_t>(first / plane);
  }
  stall::Calls* const calls = HostLaunch::calls();
  std::uint64_t most = grid.inSteps ? 1 : row;
  for (std::uint64_t group = first; group < last && !host.stopped(); group += launch.groups) {
    launch.groups = static_cast<std::uint32_t>(std::min({row - launch.groupId[0], last - group, most}));
    if (calls) calls->count();
    grid.entry(grid.parameters, &launch);
    HostLaunch::finishGroups();
    most = std::min(2 * most, row);
    launch.groupId[0] += launch.groups;
    if (launch.groupId[0] < row) continue;
    launch.groupId[0] = 0;
    if (++launch.groupId[1] < launch.groupCount[1]) continue;
    launch.groupId[1] = 0;
    ++launch.groupId[2];
  }
  return true;
}

/// Whether all that a launch does is known to take much less than the time after which somebody asks whether groups
/// end.
bool isShort(const Grid& grid, float perItem) {
  const double nanoseconds = double{perItem} * static_cast<double>(grid.groups.count() * grid.items.count());
  return perItem > 0 && nanoseconds < static_cast<double>(stall::patience().count()) / 10;
}

/// A thread a group: what a group has done when it comes to a barrier of the grid is on its thread's stack.
bool runTogether(const Grid& grid, HostLaunch& launch) {
  const auto groups = static_cast<std::ptrdiff_t>(grid.groups.count());
  std::barrier<> meeting(groups);
  launch.meetAt(&meeting);
  std::atomic<bool> complete = true;
  const auto runOne = [&](std::uint64_t group) {
    launch.run([&] {
      if (runRange(grid, launch, group, group + 1)) return;
      complete = false;
      launch.stop();
    });
    meeting.arrive_and_drop();  // who is done is not waited for
  };
  std::vector<std::thread> threads;
  std::ptrdiff_t started = 1;
  try {
    threads.reserve(static_cast<std::size_t>(groups));
    for (; started < groups; ++started) threads.emplace_back(runOne, static_cast<std::uint64_t>(started));
  } catch (const std::exception&) {  // no thread, or no memory for one
    complete = false;
    launch.stop();
    for (std::ptrdiff_t missing = started; missing < groups; ++missing) meeting.arrive_and_drop();
  }
  runOne(0);
  for (std::thread& thread : threads) thread.join();
  return complete;
}

}  // namespace

bool runGrid(const GroupScheduler& scheduler, Grid grid, GroupCost& cost, HostLaunch& launch) {
  if (grid.together) return runTogether(grid, launch);
  std::atomic<bool> complete = true;
  // Whole rows where there are enough of them: an entry's call is for one row or a part of it.
  const std::uint64_t rows = std::uint64_t{grid.groups.y} * grid.groups.z;
  const float known = cost.perItem();
  grid.inSteps = launch.number() != 0 && !isShort(grid, known);
  const bool byRows = rows >= rowsEach && rows >= rowsEach * scheduler.threads();
  const std::uint64_t part = byRows ? grid.groups.x : 1;
  try {
    scheduler.run(byRows ? rows : grid.groups.count(), part * grid.items.count(), cost,
                  [&](std::uint64_t first, std::uint64_t last) {
                    launch.run([&] {
                      if (!runRange(grid, launch, first * part, last * part))
                        complete.store(false, std::memory_order_relaxed);
                    });
                  });
  } catch (const std::bad_alloc&) {  // the scheduler's own tasks
    complete = false;
  }
  if (!complete || launch.stopped()) cost.restore(known);
  return complete;
}

}  // namespace lathe::detail
