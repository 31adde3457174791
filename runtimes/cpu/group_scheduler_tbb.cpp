// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups on oneTBB's threads.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/version.h>

#include "runtimes/cpu/group_scheduler.h"

namespace lathe::detail {

struct GroupScheduler::Pool {};  // TBB has its own

GroupScheduler::GroupScheduler() = default;
GroupScheduler::~GroupScheduler() = default;

void GroupScheduler::runErased(std::uint64_t count, ErasedBody call, const void* body) const {
  if (count <= 1) {
    if (count == 1) call(body, 0, 1);
    return;
  }
  // Isolated: while the caller waits it may only take this launch's groups, never a task of the program around it,
  // which might wait for a lock that the caller holds.
  tbb::this_task_arena::isolate([&] {
    // The automatic partitioner makes ranges large while all threads are busy and splits them when one runs dry.
    tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, count),
                      [&](const tbb::blocked_range<std::uint64_t>& range) { call(body, range.begin(), range.end()); });
  });
}

std::string GroupScheduler::description() const {
  return "oneTBB " + std::to_string(TBB_VERSION_MAJOR) + "." + std::to_string(TBB_VERSION_MINOR);
}

}  // namespace lathe::detail
