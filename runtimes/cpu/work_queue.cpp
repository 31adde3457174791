// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue behind a created stream.
#include "runtimes/cpu/work_queue.h"

#include "runtimes/cpu/cpu_module.h"
#include "runtimes/cpu/patience.h"

namespace lathe::detail {

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

void WorkQueue::append(std::unique_ptr<Task> task) {
  bool taken;
  {
    const std::scoped_lock lock(mutex_);
    Task* const added = task.get();
    (first_ ? last_->next : first_) = std::move(task);
    last_ = added;
    ++pushedCount_;
    taken = performing_;  // by a thread that will see this task, too
  }
  if (!taken) pushed_.notify_one();
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

Result<void> WorkQueue::pushStamp(Clock::time_point* when) {
  auto task = blank();
  if (!task)
    return Error{
        .code = ErrorCode::OutOfHostMemory, .message = "cpu: no memory is left to queue an event", .target = "cpu"};
  task->when = when;
  append(std::move(task));
  return {};
}

void WorkQueue::wait() {
  std::unique_lock lock(mutex_);
  const std::uint64_t goal = pushedCount_;
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
  *task.when = Clock::now();
  return {};
}

void WorkQueue::performFirst(std::unique_lock<std::mutex>& lock) {
  auto task = std::move(first_);
  first_ = std::move(task->next);
  performing_ = true;
  lock.unlock();
  auto performed = perform(*task);
  task->kernel.reset();  // may unload the module: outside the lock
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
