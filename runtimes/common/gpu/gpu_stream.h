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
  /// The public Event keeps the device.
  GpuEvent(const GpuDevice& device, GpuApi::Handle event) : device_(device), event_(event) {}
  ~GpuEvent() override {
    device_.quietlyIn([&] { return device_.api().destroyEvent(event_); });
  }
  [[nodiscard]] GpuApi::Handle handle() const noexcept { return event_; }
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

 private:
  const GpuDevice& device_;
  Handle stream_;
  bool owned_;
  std::shared_ptr<GpuQueueState> state_;
  std::shared_ptr<GpuGraph::Functions> captured_;  ///< host functions of the graph that is being captured
};

}  // namespace lathe::detail
