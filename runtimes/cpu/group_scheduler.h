// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spreads the groups of a launch over the host's cores. How many threads a launch is worth is decided here, by what the
// kernel's groups took before; handing them to the threads is left to one of two schedulers: oneTBB's, which a
// program's other parallel work shares, and a pool of our own.
//
// A launch of a few microseconds is over before another thread has heard of it, so the calling thread runs it alone;
// after a quarter it looks whether the groups take longer than they used to, and then shares what is left.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lathe::detail {

/// What one item of a kernel takes, as its launches found it. Any number of threads may use one at once.
class GroupCost {
 public:
  /// Nanoseconds of one item on one thread; 0: not known.
  [[nodiscard]] float perItem() const noexcept { return perItem_.load(std::memory_order_relaxed); }
  /// Takes one launch's finding into account. One that lies far above may be a thread that was interrupted, so it
  /// counts as four times what was known.
  void learn(double perItem) noexcept;
  /// What was known before a launch that ended early, whose finding means nothing.
  void restore(float perItem) noexcept { perItem_.store(perItem, std::memory_order_relaxed); }

 private:
  std::atomic<float> perItem_ = 0;
};

class GroupScheduler {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~GroupScheduler() = default;
  /// Threads that may run groups at once, the caller included; at least 1.
  [[nodiscard]] virtual unsigned threads() const noexcept = 0;
  /// "oneTBB 2021.8"
  [[nodiscard]] virtual std::string description() const = 0;

  /// Calls body(first, last) for ranges that cover [0, count) exactly once, on the calling thread and perhaps on
  /// others, and returns when all calls have. May be called from any number of threads at once. `items` is the number
  /// of items of each of the `count` parts. `body` must not throw or wait. Errors: std::bad_alloc of the scheduler's
  /// own.
  template <class Body>
  void run(std::uint64_t count, std::uint64_t items, GroupCost& cost, const Body& body) const {
    runErased(count, items, cost,
              {[](const void* erased, std::uint64_t first, std::uint64_t last) {
                 (*static_cast<const Body*>(erased))(first, last);
               },
               &body});
  }

 protected:
  struct ErasedBody {
    void (*call)(const void* body, std::uint64_t first, std::uint64_t last);
    const void* body;
    void operator()(std::uint64_t first, std::uint64_t last) const { call(body, first, last); }
  };
  /// What is to be spread over threads, and what is known of it.
  struct Spread {
    std::uint64_t first, last;  ///< at least two
    unsigned threads;           ///< 2 … threads(): how many the work is worth
    std::uint64_t piece;        ///< parts that are not worth dividing further; at least 1
    double nanoseconds;         ///< of all of it on one thread; 0: not known
    Clock::time_point now;
  };
  /// Nanoseconds in which threads that are awake have taken work and said that it is done.
  [[nodiscard]] virtual double handOver() const noexcept = 0;
  /// Calls `body` for ranges that cover [spread.first, spread.last) once, and returns when all calls have.
  virtual void spread(const Spread& work, const ErasedBody& body) const = 0;
  /// The same by another scheduler.
  static void spreadBy(const GroupScheduler& other, const Spread& work, const ErasedBody& body) {
    other.spread(work, body);
  }

 private:
  void runErased(std::uint64_t count, std::uint64_t items, GroupCost& cost, const ErasedBody& body) const;
};

/// A scheduler of this build, by the name it has in LATHE_CPU_SCHEDULER.
struct SchedulerKind {
  std::string_view name;
  std::unique_ptr<GroupScheduler> (*make)();
};
/// Those of this build; the first is taken where nobody chooses.
[[nodiscard]] std::span<const SchedulerKind> schedulerKinds() noexcept;

/// `threads` counts the caller; 0: one for each processor the process may use.
[[nodiscard]] std::unique_ptr<GroupScheduler> makeThreadScheduler(unsigned threads = 0);
/// In builds with oneTBB.
[[nodiscard]] std::unique_ptr<GroupScheduler> makeTbbScheduler();

}  // namespace lathe::detail
