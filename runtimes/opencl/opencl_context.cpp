// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/opencl/opencl_context.h"

#include <algorithm>
#include <array>
#include <utility>

#include "runtimes/opencl/opencl_devices.h"

namespace lathe::detail {

std::unique_ptr<OpenClContext> OpenClContext::create(const ClFunctions& cl, const OpenClDevice& device,
                                                     ClStatus& status) {
  const ClContext context = cl.CreateContext(nullptr, 1, &device.device, nullptr, nullptr, &status);
  if (status != 0) return nullptr;
  std::unique_ptr<OpenClContext> out(new OpenClContext(cl, device, context));
  out->default_ = out->newQueue(status);
  return status == 0 ? std::move(out) : nullptr;
}

OpenClContext::~OpenClContext() {
  (void)finishAll();
  for (const auto& [address, bytes] : memory_) cl_.SVMFree(context_, const_cast<std::byte*>(address));
  queues_.clear();
  default_.reset();
  (void)cl_.ReleaseContext(context_);
}

std::shared_ptr<OpenClQueue> OpenClContext::newQueue(ClStatus& status) const {
  const std::array<std::uint64_t, 3> properties = {ClQueueProperty::key, ClQueueProperty::profiling, 0};
  const ClQueue queue = cl_.CreateCommandQueueWithProperties(context_, device_.device, properties.data(), &status);
  return status == 0 ? std::make_shared<OpenClQueue>(cl_, queue) : nullptr;
}

ClStatus OpenClContext::waitFor(ClQueue waiter, const std::vector<OpenClQueue*>& others) {
  std::vector<ClEvent> events;
  ClStatus status = 0;
  for (OpenClQueue* const other : others) {
    ClEvent event = nullptr;
    status = cl_.EnqueueMarkerWithWaitList(other->queue_, 0, nullptr, &event);
    if (status != 0) break;
    events.push_back(event);
    // A queue may not wait for work that another one has not given to the device.
    if (status = cl_.Flush(other->queue_); status != 0) break;
  }
  if (status == 0 && !events.empty())
    status = cl_.EnqueueBarrierWithWaitList(waiter, static_cast<std::uint32_t>(events.size()), events.data(), nullptr);
  for (const ClEvent event : events) (void)cl_.ReleaseEvent(event);
  return status;
}

ClStatus OpenClContext::order(OpenClQueue& target) {
  // What a queue waits for is noted when it does: after a failure, its next work has to wait for the same.
  if (&target != default_.get()) {
    target.unjoined_ = true;
    if (target.seen_ == defaultWork_) return 0;
    const ClStatus status = waitFor(target.queue_, {default_.get()});
    if (status == 0) target.seen_ = defaultWork_;
    return status;
  }
  ++defaultWork_;
  std::vector<OpenClQueue*> others;
  for (const auto& queue : queues_)
    if (queue->unjoined_) others.push_back(queue.get());
  const ClStatus status = others.empty() ? 0 : waitFor(target.queue_, others);
  if (status == 0)
    for (OpenClQueue* const other : others) other->unjoined_ = false;
  return status;
}

OpenClQueue* OpenClContext::addQueue(ClStatus& status) {
  auto queue = newQueue(status);
  if (status != 0) return nullptr;
  const std::scoped_lock lock(mutex_);
  return queues_.emplace_back(std::move(queue)).get();
}

ClStatus OpenClContext::removeQueue(OpenClQueue* queue) {
  const ClStatus status = finish(queue);
  const std::scoped_lock lock(mutex_);
  std::erase_if(queues_, [queue](const auto& one) { return one.get() == queue; });
  return status;
}

ClStatus OpenClContext::finish(OpenClQueue* queue) {
  if (queue) return cl_.Finish(queue->queue_);
  // The default queue has to wait for the others, whatever they were given until now. The wait is outside of the lock.
  const ClStatus status = enqueue(nullptr, [](ClQueue) { return ClStatus{0}; });
  return status == 0 ? cl_.Finish(default_->queue_) : status;
}

ClStatus OpenClContext::finishAll() {
  std::vector<std::shared_ptr<OpenClQueue>> all;
  {
    const std::scoped_lock lock(mutex_);
    all = queues_;
    all.push_back(default_);
  }
  ClStatus out = 0;
  for (const auto& queue : all)
    if (const ClStatus status = queue ? cl_.Finish(queue->queue_) : 0; out == 0) out = status;
  return out;
}

ClStatus OpenClContext::copy(void* to, const void* from, std::size_t bytes) {
  ClEvent done = nullptr;
  ClStatus status = enqueue(nullptr, [&](ClQueue queue) {
    return cl_.EnqueueSVMMemcpy(queue, /*blocking=*/0, to, from, bytes, 0, nullptr, &done);
  });
  if (!done) return status;
  // Also behind a failed flush: the caller's memory may be in use.
  const ClStatus waited = cl_.WaitForEvents(1, &done);
  (void)cl_.ReleaseEvent(done);
  return status == 0 ? waited : status;
}

ClStatus OpenClContext::allocate(void*& out, std::size_t bytes, bool coherent) {
  std::uint64_t flags = ClMemory::readWrite;
  if (coherent) {
    if ((device_.svm & ClSvm::fine) == 0) return ClError::noCoherentMemory;
    flags |= ClMemory::svmFine;
    if ((device_.svm & ClSvm::atomics) != 0) flags |= ClMemory::svmAtomics;
  }
  out = cl_.SVMAlloc(context_, flags, bytes, 0);
  if (!out) return ClError::memoryAllocation;
  const std::scoped_lock lock(memoryMutex_);
  memory_.emplace(static_cast<const std::byte*>(out), bytes);
  ++memoryState_;
  return 0;
}

ClStatus OpenClContext::free(void* address) {
  const ClStatus status = finishAll();
  {
    const std::scoped_lock lock(memoryMutex_);
    memory_.erase(static_cast<const std::byte*>(address));
    ++memoryState_;
  }
  cl_.SVMFree(context_, address);
  return status;
}

std::pair<const std::byte*, std::size_t> OpenClContext::memoryOf(const void* address) {
  const auto* const byte = static_cast<const std::byte*>(address);
  const std::scoped_lock lock(memoryMutex_);
  const auto behind = memory_.upper_bound(byte);
  if (behind == memory_.begin()) return {};
  const auto& [begin, bytes] = *std::prev(behind);
  if (byte >= begin + bytes) return {};
  return {begin, bytes};
}

ClStatus OpenClContext::tellMemory(ClKernel kernel, std::uint64_t& known) {
  const bool system = (device_.svm & ClSvm::fineSystem) != 0;
  if (known == memoryState() || (system && known != 0)) return 0;
  const std::scoped_lock lock(memoryMutex_);
  ClStatus status = 0;
  if (system) {
    constexpr std::uint32_t yes = 1;
    status = cl_.SetKernelExecInfo(kernel, ClExecInfo::fineSystem, sizeof(yes), &yes);
  } else if (!memory_.empty()) {
    std::vector<const void*> all;
    all.reserve(memory_.size());
    for (const auto& [address, bytes] : memory_) all.push_back(address);
    status = cl_.SetKernelExecInfo(kernel, ClExecInfo::svmPointers, all.size() * sizeof(void*), all.data());
  }
  if (status == 0) known = memoryState_;  // the next launch tells it what this one could not
  return status;
}

}  // namespace lathe::detail
