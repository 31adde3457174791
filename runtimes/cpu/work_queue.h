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
#include <functional>
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
  /// A point in the queue.
  struct Point {
    std::uint64_t count = 0;                     ///< of tasks up to it
    std::shared_ptr<Clock::time_point> reached;  ///< written when everything before it is done
  };
  /// The point behind what is queued. Errors: OutOfHostMemory.
  Result<Point> pushPoint();
  /// Lets what is pushed later begin after a point of another queue. Points are made before they are waited for, so
  /// queues never wait for each other in a circle. Errors: OutOfHostMemory.
  Result<void> pushWait(std::shared_ptr<WorkQueue> other, const Point& point);
  /// Calls the function when it is its turn. Errors: OutOfHostMemory.
  Result<void> pushCall(std::function<void()> function);
  /// Whether everything pushed is done.
  [[nodiscard]] bool isDone() const noexcept { return finishedCount_ == pushedCount_; }
  /// Returns when everything pushed so far is done, of which this thread runs what no other has begun. Kernels unloaded
  /// by that are unloaded here.
  void wait();
  /// The same up to a point of this queue.
  void waitFor(const Point& point);
  /// wait(), then the first failure since the last call.
  Result<void> synchronize();

 private:
  struct Task {
    std::shared_ptr<const CpuKernel> kernel;  ///< null: a call, a point or a wait
    std::function<void()> call;
    LaunchOptions options;
    GrowingBlock parameters;
    std::shared_ptr<WorkQueue> awaited;  ///< of a wait
    Point point;                         ///< of a point or a wait
    std::unique_ptr<Task> next;
  };
  /// A recycled or new task; null without memory.
  std::unique_ptr<Task> blank();
  /// Returns how many tasks were pushed until now, this one included.
  std::uint64_t append(std::unique_ptr<Task> task);
  void waitUntil(std::unique_lock<std::mutex>& lock, std::uint64_t goal);
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
