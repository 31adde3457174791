// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A created stream of the host: a work queue and a stop watch.
#pragma once

#include <memory>

#include "runtimes/common/driver.h"
#include "runtimes/cpu/work_queue.h"

namespace lathe::detail {

class CpuStream final : public StreamDriver {
 public:
  explicit CpuStream(std::shared_ptr<WorkQueue> queue) : queue_(std::move(queue)) {}
  ~CpuStream() override { queue_->wait(); }  // its stamps go to members of this object
  [[nodiscard]] WorkQueue& queue() const noexcept { return *queue_; }
  Result<void> synchronize() override { return queue_->synchronize(); }
  Result<void> recordStart() override { return queue_->pushStamp(&start_); }
  Result<double> elapsedSinceStart() override {
    if (auto stamped = queue_->pushStamp(&stop_); !stamped) return std::move(stamped).error();
    queue_->wait();
    return std::chrono::duration<double, std::milli>(stop_ - start_).count();
  }

 private:
  std::shared_ptr<WorkQueue> queue_;
  WorkQueue::Clock::time_point start_, stop_;
};

}  // namespace lathe::detail
