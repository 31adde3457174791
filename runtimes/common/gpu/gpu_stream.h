// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams of the GPU runtimes, and the points in them.
#pragma once

#include <memory>

#include "runtimes/common/gpu/gpu_context.h"
#include "runtimes/common/gpu/gpu_graph.h"

namespace lathe::detail {

class GpuEvent final : public EventDriver {
 public:
  /// The public Event keeps the device. `captured`: the graph that the event is a point in; null: it is in none.
  GpuEvent(const GpuDevice& device, GpuApi::Handle event, std::weak_ptr<GpuGraphParts> captured)
      : device_(device), event_(event), captured_(std::move(captured)) {}
  ~GpuEvent() override {
    device_.quietlyIn([&] { return device_.api().destroyEvent(event_); });
  }
  [[nodiscard]] GpuApi::Handle handle() const noexcept { return event_; }
  [[nodiscard]] const std::weak_ptr<GpuGraphParts>& captured() const noexcept { return captured_; }
  Result<void> synchronize() const override {
    return device_.in("waiting for an event", [&] { return device_.api().synchronizeEvent(event_); });
  }
  Result<double> elapsedUntil(const EventDriver& later) const override {
    const GpuApi::Handle end = static_cast<const GpuEvent&>(later).event_;
    float out = 0;
    auto done = device_.in("timing a stream", [&] {
      GpuApi::Status status = device_.api().synchronizeEvent(event_);
      if (status == 0) status = device_.api().synchronizeEvent(end);
      return status == 0 ? device_.api().elapsed(out, event_, end) : status;
    });
    if (!done) return std::move(done).error();
    return double{out};
  }

 private:
  const GpuDevice& device_;
  GpuApi::Handle event_;
  std::weak_ptr<GpuGraphParts> captured_;
};

class GpuStream final : public StreamDriver {
 public:
  using Handle = GpuApi::Handle;

  /// The public Stream keeps the device. `owned`: the handle is destroyed with this.
  GpuStream(const GpuDevice& device, Handle stream, bool owned)
      : device_(device), stream_(stream), owned_(owned), state_(device.states().add()) {}
  ~GpuStream() override;
  Result<void> synchronize() override;
  Result<bool> isDone() override;
  Result<std::unique_ptr<EventDriver>> record() override;
  Result<void> wait(const EventDriver& event) override;
  [[nodiscard]] void* nativeHandle() const noexcept override { return stream_; }

  [[nodiscard]] bool queues() const noexcept override { return device_.api().queues(); }
  Result<void> copy(void* to, const void* from, std::size_t bytes, CopyKind kind) override;
  Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) override;
  Result<void> copyBlock(const BlockCopy& block, CopyKind kind) override;
  Result<void> call(std::function<void()> function) override;

  [[nodiscard]] bool hasPool() const noexcept override { return device_.api().hasPools(device_.info().index); }
  Result<void*> allocate(std::size_t bytes) override;
  void free(void* address) noexcept override;

  [[nodiscard]] bool captures() const noexcept override { return device_.api().hasGraphs(); }
  Result<void> beginCapture() override;
  Result<std::unique_ptr<GraphDriver>> endCapture() override;

  [[nodiscard]] GpuQueueState& state() const noexcept { return *state_; }
  /// The graph that the driver captures this stream's work for; null: it does not.
  [[nodiscard]] std::shared_ptr<GpuGraphParts> captured() const noexcept {
    if (captured_) return captured_;
    auto out = joined_.lock();
    return out && out->isOpen() ? out : nullptr;
  }

 private:
  const GpuDevice& device_;
  Handle stream_;
  bool owned_;
  std::shared_ptr<GpuQueueState> state_;
  std::shared_ptr<GpuGraphParts> captured_;  ///< of the capture that was begun here
  std::weak_ptr<GpuGraphParts> joined_;      ///< of another stream's that this one came into
};

}  // namespace lathe::detail
