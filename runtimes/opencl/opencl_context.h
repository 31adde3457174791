// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device's context, its queues and its memory. OpenCL orders queues by events alone; here the default queue is
// ordered with all others, as the runtimes' interface asks: work on it waits for what the others have, and theirs for
// what it had.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/process/background.h"
#include "runtimes/common/driver.h"
#include "runtimes/common/gpu/gpu_api.h"
#include "runtimes/opencl/opencl_functions.h"

namespace lathe::detail {

/// One device that Lathe can use, as opencl_devices.h found it. Its functions live as long as the process.
struct OpenClDevice;

class OpenClQueue {
 public:
  OpenClQueue(const ClFunctions& cl, ClQueue queue) : cl_(cl), queue_(queue) {}
  OpenClQueue(const OpenClQueue&) = delete;
  OpenClQueue& operator=(const OpenClQueue&) = delete;
  ~OpenClQueue() {
    if (mark_) (void)cl_.ReleaseEvent(mark_);
    (void)cl_.ReleaseCommandQueue(queue_);
  }
  [[nodiscard]] ClQueue handle() const noexcept { return queue_; }

 private:
  friend class OpenClContext;
  const ClFunctions& cl_;
  ClQueue queue_;
  std::uint64_t seen_ = 0;  ///< of the default queue's work, how much this one waits for
  bool unjoined_ = false;   ///< has work that the default queue does not wait for
  std::uint64_t work_ = 0;  ///< counts what it was given
  /// Reached behind the work that it had when isDone() was asked last, and how much that was.
  ClEvent mark_ = nullptr;
  std::uint64_t marked_ = 0;
};

/// Safe from any thread. Statuses are OpenCL's; 0 is success.
class OpenClContext {
 public:
  /// Null if the driver gives none; `status` says why.
  [[nodiscard]] static std::unique_ptr<OpenClContext> create(const ClFunctions& cl, const OpenClDevice& device,
                                                             ClStatus& status);
  OpenClContext(const OpenClContext&) = delete;
  OpenClContext& operator=(const OpenClContext&) = delete;
  ~OpenClContext();

  [[nodiscard]] const ClFunctions& cl() const noexcept { return cl_; }
  [[nodiscard]] const OpenClDevice& device() const noexcept { return device_; }
  [[nodiscard]] ClContext handle() const noexcept { return context_; }

  /// Calls enqueue(queue), which gives a status, on `queue` or, if that is null, on the default one, behind what its
  /// work waits for, and lets the device begin.
  template <class Enqueue>
  ClStatus enqueue(OpenClQueue* queue, const Enqueue& enqueue) {
    const std::scoped_lock lock(mutex_);
    OpenClQueue& target = queue ? *queue : *default_;
    ClStatus status = order(target);
    if (status == 0) status = enqueue(target.queue_);
    ++target.work_;
    return status == 0 ? cl_.Flush(target.queue_) : status;
  }

  /// A queue of this context, which keeps it. Null if there is none; `status` says why.
  [[nodiscard]] OpenClQueue* addQueue(ClStatus& status);
  /// Waits for its work and takes it back.
  ClStatus removeQueue(OpenClQueue* queue);
  /// Waits for what is on it now, the default one if it is null.
  ClStatus finish(OpenClQueue* queue);
  ClStatus finishAll();
  /// Whether finish() would return at once.
  ClStatus isDone(bool& out, OpenClQueue* queue);
  /// Lets a thread of this context's own make `host` when the work that `queue` has, or the default one if it is null,
  /// is done; what it is given later waits for that.
  ClStatus call(OpenClQueue* queue, const HostCall& host);

  /// Copies on the default queue, and returns when that is done. Either side may be the host's own memory.
  ClStatus copy(void* to, const void* from, std::size_t bytes);
  /// A rectangular copy on `queue`, or the default one if it is null, which may return before it is done. The side that
  /// is a device's lies in memory of this context, else GpuApi::unsupported is what comes back.
  ClStatus copyBlock(const BlockCopy& block, CopyKind kind, OpenClQueue* queue);
  /// Memory that kernels and these functions reach; of `coherent` memory the host too, while kernels run.
  ClStatus allocate(void*& out, std::size_t bytes, bool coherent);
  /// Waits for all work first.
  ClStatus free(void* address);
  /// Another number, never 0, after each change of what memory there is.
  [[nodiscard]] std::uint64_t memoryState() const noexcept { return memoryState_.load(std::memory_order_acquire); }
  /// Lets `kernel` reach all memory through pointers that it finds in memory. `known` is the state of the memory that
  /// it was told last, 0 at first.
  ClStatus tellMemory(ClKernel kernel, std::uint64_t& known);

 private:
  OpenClContext(const ClFunctions& cl, const OpenClDevice& device, ClContext context)
      : cl_(cl), device_(device), context_(context) {}
  /// The memory that holds `address`: its beginning and size; null if there is none.
  [[nodiscard]] std::pair<const std::byte*, std::size_t> memoryOf(const void* address);
  [[nodiscard]] std::shared_ptr<OpenClQueue> newQueue(ClStatus& status) const;
  /// Makes the next work of `target` wait for what it has to. Under the lock.
  ClStatus order(OpenClQueue& target);
  /// Makes `waiter` wait for the work that `others` have.
  ClStatus waitFor(ClQueue waiter, const std::vector<OpenClQueue*>& others);

  const ClFunctions& cl_;
  const OpenClDevice& device_;
  ClContext context_;
  std::mutex mutex_;
  std::shared_ptr<OpenClQueue> default_;
  std::uint64_t defaultWork_ = 1;  ///< counts what the default queue was given
  std::vector<std::shared_ptr<OpenClQueue>> queues_;
  std::mutex memoryMutex_;
  std::map<const std::byte*, std::size_t> memory_;  ///< beginnings and sizes
  std::atomic<std::uint64_t> memoryState_ = 1;      ///< changes under the lock
  /// Makes the calls of the queues, in the order in which the queues come to them. Drivers call back on threads of
  /// theirs, or on that of who asks, which may be waiting for the function's caller. Last: it ends before the others.
  Background calls_;
};

}  // namespace lathe::detail
