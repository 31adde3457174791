// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups on oneTBB's threads; on a pool of our own where its library is not there.
#include <algorithm>
#include <thread>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/version.h>

#include "runtimes/cpu/group_scheduler.h"
#include "runtimes/cpu/tbb_library.h"

namespace lathe::detail {
namespace {

class TbbScheduler final : public GroupScheduler {
 public:
  [[nodiscard]] unsigned threads() const noexcept override {
    const int all =
        tbbIsOpen() ? tbb::this_task_arena::max_concurrency() : static_cast<int>(std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::max(1, all));
  }
  [[nodiscard]] std::string description() const override {
    return "oneTBB " + std::to_string(TBB_VERSION_MAJOR) + "." + std::to_string(TBB_VERSION_MINOR);
  }

 protected:
  /// Its threads soon sleep.
  [[nodiscard]] double handOver() const noexcept override { return 5000; }
  void spread(const Spread& work, const ErasedBody& body) const override {
    if (!openTbb()) {
      static const auto& pool = *makeThreadScheduler().release();  // as long as the process, like TBB's threads
      return spreadBy(pool, work, body);
    }
    const std::uint64_t count = work.last - work.first;
    // A range that is not divided further is one thread's: so many ranges, so many threads at most.
    const std::uint64_t pieces = work.threads < threads() ? work.threads : std::uint64_t{8} * work.threads;
    const std::uint64_t grain = std::max(work.piece, (count + pieces - 1) / pieces);
    // Isolated: while the caller waits it may only take this launch's groups, never a task of the program around it,
    // which might wait for a lock that the caller holds.
    tbb::this_task_arena::isolate([&] {
      // The automatic partitioner makes ranges large while all threads are busy and splits them when one runs dry.
      tbb::parallel_for(tbb::blocked_range<std::uint64_t>(work.first, work.last, grain),
                        [&](const tbb::blocked_range<std::uint64_t>& range) { body(range.begin(), range.end()); });
    });
  }
};

}  // namespace

std::unique_ptr<GroupScheduler> makeTbbScheduler() {
  return std::make_unique<TbbScheduler>();
}

}  // namespace lathe::detail
