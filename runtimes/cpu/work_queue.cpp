// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue behind a created stream.
#include "runtimes/cpu/work_queue.h"

#include "runtimes/cpu/cpu_module.h"
#include "runtimes/cpu/patience.h"

namespace lathe::detail {

namespace {

Error noTask() {
  return {.code = ErrorCode::OutOfHostMemory, .message = "cpu: no memory is left to queue work", .target = "cpu"};
}

}  // namespace

WorkQueue::WorkQueue() : thread_([this] { serve(); }) {}

WorkQueue::~WorkQueue() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  pushed_.notify_one();
  thread_.join();
  // One by one: freeing the list by its head would recurse as deep as it is long.
  while (spare_) spare_ = std::move(spare_->next);
}

std::unique_ptr<WorkQueue::Task> WorkQueue::blank() {
  const std::scoped_lock lock(mutex_);
  if (!spare_) return std::unique_ptr<Task>(new (std::nothrow) Task);
  auto out = std::move(spare_);
  spare_ = std::move(out->next);
  return out;
}

std::uint64_t WorkQueue::append(std::unique_ptr<Task> task) {
  bool taken;
  std::uint64_t count;
  {
    const std::scoped_lock lock(mutex_);
    Task* const added = task.get();
    (first_ ? last_->next : first_) = std::move(task);
    last_ = added;
    count = ++pushedCount_;
    taken = performing_;  // by a thread that will see this task, too
  }
  if (!taken) pushed_.notify_one();
  return count;
}

Result<void> WorkQueue::push(std::shared_ptr<const CpuKernel> kernel, const LaunchOptions& options,
                             std::span<const void* const> arguments) {
  auto task = blank();
  if (!task || !kernel->pack(arguments, task->parameters)) return kernel->outOfMemory();
  task->kernel = std::move(kernel);
  task->options = options;
  append(std::move(task));
  return {};
}

Result<WorkQueue::Point> WorkQueue::pushPoint() {
  auto task = blank();
  if (!task) return noTask();
  auto reached = std::make_shared<Clock::time_point>();
  task->point.reached = reached;
  const std::uint64_t count = append(std::move(task));
  return Point{count, std::move(reached)};
}

Result<void> WorkQueue::pushWait(std::shared_ptr<WorkQueue> other, const Point& point) {
  auto task = blank();
  if (!task) return noTask();
  task->awaited = std::move(other);
  task->point = point;
  append(std::move(task));
  return {};
}

Result<void> WorkQueue::pushCall(std::function<void()> function) {
  auto task = blank();
  if (!task) return noTask();
  task->call = std::move(function);
  append(std::move(task));
  return {};
}

void WorkQueue::wait() {
  std::unique_lock lock(mutex_);
  waitUntil(lock, pushedCount_);
}

void WorkQueue::waitFor(const Point& point) {
  std::unique_lock lock(mutex_);
  waitUntil(lock, point.count);
}

void WorkQueue::waitUntil(std::unique_lock<std::mutex>& lock, std::uint64_t goal) {
  while (finishedCount_ < goal) {
    if (!performing_) {
      performFirst(lock);
      continue;
    }
    const std::uint64_t seen = finishedCount_;
    lock.unlock();
    const bool progress =
        lookUntil(Patience().end(), [&] { return finishedCount_.load(std::memory_order_relaxed) != seen; });
    lock.lock();
    if (!progress) finished_.wait(lock, [&] { return finishedCount_ != seen; });
  }
  if (first_ && !performing_) pushed_.notify_one();
}

Result<void> WorkQueue::synchronize() {
  wait();
  const std::scoped_lock lock(mutex_);
  return std::exchange(failure_, {});
}

Result<void> WorkQueue::perform(Task& task) const {
  if (task.kernel) return task.kernel->run(task.options, task.parameters);
  if (task.call) {
    task.call();
  } else if (task.awaited) {
    task.awaited->waitFor(task.point);
  } else {
    *task.point.reached = Clock::now();
  }
  return {};
}

void WorkQueue::performFirst(std::unique_lock<std::mutex>& lock) {
  auto task = std::move(first_);
  first_ = std::move(task->next);
  performing_ = true;
  lock.unlock();
  auto performed = perform(*task);
  task->kernel.reset();   // may unload the module: outside the lock
  task->call = nullptr;   // may free what it holds
  task->awaited.reset();  // may end a queue
  task->point = {};
  lock.lock();
  performing_ = false;
  if (!performed && failure_) failure_ = std::move(performed);
  task->next = std::move(spare_);
  spare_ = std::move(task);
  ++finishedCount_;
  finished_.notify_all();
}

void WorkQueue::serve() {
  Patience patience;
  std::unique_lock lock(mutex_);
  while (true) {
    pushed_.wait(lock, [this] { return stopping_ || (first_ && !performing_); });
    if (!first_) return;
    // Launches may come as fast as they are run.
    for (bool more = true; more && first_ && !performing_;) {
      while (first_ && !performing_) performFirst(lock);
      const std::uint64_t seen = pushedCount_;
      lock.unlock();
      more = lookUntil(patience.end(), [&] { return stopping_ || pushedCount_ != seen; });
      more ? patience.paid() : patience.failed();
      lock.lock();
    }
  }
}

}  // namespace lathe::detail
