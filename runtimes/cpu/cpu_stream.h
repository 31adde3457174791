// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A created stream of the host, a work queue, and the points in it.
#pragma once

#include <cstring>
#include <memory>

#include "runtimes/common/driver.h"
#include "runtimes/cpu/work_queue.h"

namespace lathe::detail {

class CpuEvent final : public EventDriver {
 public:
  CpuEvent(std::shared_ptr<WorkQueue> queue, WorkQueue::Point point)
      : queue_(std::move(queue)), point_(std::move(point)) {}
  Result<void> synchronize() const override {
    queue_->waitFor(point_);
    return {};
  }
  Result<double> elapsedUntil(const EventDriver& later) const override {
    const auto& end = static_cast<const CpuEvent&>(later);
    queue_->waitFor(point_);
    end.queue_->waitFor(end.point_);
    return std::chrono::duration<double, std::milli>(*end.point_.reached - *point_.reached).count();
  }
  [[nodiscard]] const std::shared_ptr<WorkQueue>& queue() const noexcept { return queue_; }
  [[nodiscard]] const WorkQueue::Point& point() const noexcept { return point_; }

 private:
  std::shared_ptr<WorkQueue> queue_;
  WorkQueue::Point point_;
};

class CpuStream final : public StreamDriver {
 public:
  explicit CpuStream(std::shared_ptr<WorkQueue> queue) : queue_(std::move(queue)) {}
  ~CpuStream() override { queue_->wait(); }  // an event may keep the queue, but the work is done with the stream
  [[nodiscard]] WorkQueue& queue() const noexcept { return *queue_; }
  Result<void> synchronize() override { return queue_->synchronize(); }
  Result<std::unique_ptr<EventDriver>> record() override {
    auto point = queue_->pushPoint();
    if (!point) return std::move(point).error();
    return std::unique_ptr<EventDriver>(std::make_unique<CpuEvent>(queue_, *std::move(point)));
  }
  Result<void> wait(const EventDriver& event) override {
    const auto& other = static_cast<const CpuEvent&>(event);
    if (other.queue() == queue_) return {};  // what comes later is later
    return queue_->pushWait(other.queue(), other.point());
  }
  Result<bool> isDone() override { return queue_->isDone(); }
  [[nodiscard]] bool queues() const noexcept override { return true; }
  Result<void> copy(void* to, const void* from, std::size_t bytes, CopyKind) override {
    return queue_->pushCall([=] { std::memcpy(to, from, bytes); });
  }
  Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) override {
    return queue_->pushCall([=] { std::memset(to, value, bytes); });
  }
  Result<void> call(std::function<void()> function) override { return queue_->pushCall(std::move(function)); }

 private:
  std::shared_ptr<WorkQueue> queue_;
};

}  // namespace lathe::detail
