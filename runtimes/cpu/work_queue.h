// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An in-order queue of launches. A thread of its own runs them while nobody waits; who waits runs what is left itself,
// since until another thread is awake a short launch would long be done. Its tasks are recycled, with the memory they
// hold for parameters, so that queueing allocates only while the queue grows longer than it ever was.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>

#include "runtimes/common/driver.h"
#include "runtimes/cpu/grid.h"

namespace lathe::detail {

class CpuKernel;

class WorkQueue {
 public:
  using Clock = std::chrono::steady_clock;

  WorkQueue();
  /// Finishes what is queued.
  ~WorkQueue();

  /// Copies the arguments. Errors: OutOfHostMemory.
  Result<void> push(std::shared_ptr<const CpuKernel> kernel, const LaunchOptions& options,
                    std::span<const void* const> arguments);
  /// Writes the time to `*when` once everything before is done; `*when` must live until then.
  Result<void> pushStamp(Clock::time_point* when);
  /// Returns when everything pushed so far is done, of which this thread runs what no other has begun. Kernels unloaded
  /// by that are unloaded here.
  void wait();
  /// wait(), then the first failure since the last call.
  Result<void> synchronize();

 private:
  struct Task {
    std::shared_ptr<const CpuKernel> kernel;  ///< null: a stamp
    LaunchOptions options;
    GrowingBlock parameters;
    Clock::time_point* when = nullptr;
    std::unique_ptr<Task> next;
  };
  /// A recycled or new task; null without memory.
  std::unique_ptr<Task> blank();
  void append(std::unique_ptr<Task> task);
  void serve();
  Result<void> perform(Task& task) const;
  /// Takes the first task and performs it, with `lock` released meanwhile. There is one, and nobody is performing.
  void performFirst(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable pushed_, finished_;
  std::unique_ptr<Task> first_, spare_;
  Task* last_ = nullptr;
  // Written under the mutex; who looks for a change before sleeping reads them without.
  std::atomic<std::uint64_t> pushedCount_ = 0, finishedCount_ = 0;
  std::atomic<bool> stopping_ = false;
  bool performing_ = false;  ///< some thread has the task before `first_`: only it may begin the next
  Result<void> failure_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace lathe::detail
