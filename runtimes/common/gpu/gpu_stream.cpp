// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams of the GPU runtimes.
#include "runtimes/common/gpu/gpu_stream.h"

#include <utility>

#include <fmt/format.h>

namespace lathe::detail {

GpuStream::~GpuStream() {
  const bool usesState = state_->used();
  if (usesState) (void)synchronize();  // kernels that still run write to it
  device_.quietlyIn([&] {
    if (usesState) state_->release(device_.api());
    return owned_ ? device_.api().destroyStream(stream_) : 0;
  });
}

Result<void> GpuStream::synchronize() {
  return device_.states().around(*state_, device_.printOutput(), [&] {
    return device_.in("waiting for a stream", [&] { return device_.api().synchronizeStream(stream_); });
  });
}

Result<bool> GpuStream::isDone() {
  if (!queues()) return StreamDriver::isDone();
  bool out = false;
  auto asked = device_.in("asking a stream", [&] { return device_.api().isDone(out, stream_); });
  if (!asked) return std::move(asked).error();
  return out;
}

Result<std::unique_ptr<EventDriver>> GpuStream::record() {
  Handle event = nullptr;
  auto done = device_.in("recording an event", [&] {
    const GpuApi::Status status = device_.api().createEvent(event);
    return status == 0 ? device_.api().recordEvent(event, stream_) : status;
  });
  std::unique_ptr<EventDriver> out;
  if (event) out = std::make_unique<GpuEvent>(device_, event, captured());
  if (!done) return std::move(done).error();
  return out;
}

Result<void> GpuStream::wait(const EventDriver& event) {
  const auto& own = static_cast<const GpuEvent&>(event);
  auto waits = device_.in("making a stream wait", [&] { return device_.api().waitForEvent(stream_, own.handle()); });
  // A stream that waits for a point in a graph is captured from there on, as CUDA's programming guide has it.
  if (const auto graph = own.captured().lock(); waits && graph && graph != captured_) joined_ = graph;
  return waits;
}

Result<void> GpuStream::copy(void* to, const void* from, std::size_t bytes, CopyKind kind) {
  return device_.in("queueing a copy", [&] { return device_.api().copyOn(to, from, bytes, kind, stream_); });
}

Result<void> GpuStream::fill(void* to, std::uint8_t value, std::size_t bytes) {
  return device_.in("queueing a fill", [&] { return device_.api().fillOn(to, value, bytes, stream_); });
}

Result<void> GpuStream::copyBlock(const BlockCopy& block, CopyKind kind) {
  const GpuApi& api = device_.api();
  return device_.in("queueing a copy of rows", [&] {
    const GpuApi::Status status = api.copyBlockOn(block, kind, stream_);
    if (status != GpuApi::unsupported) return status;
    return eachRow(block, [&](void* to, const void* from, std::size_t bytes) {
      return api.copyOn(to, from, bytes, kind, stream_);
    });
  });
}

Result<void> GpuStream::call(std::function<void()> function) {
  if (const auto graph = captured()) {  // it is called by each launch of the graph
    const HostCall kept = graph->keep(std::move(function));
    return device_.in("queueing a call", [&] { return device_.api().callOn(stream_, kept); });
  }
  using Function = std::function<void()>;
  auto kept = std::make_unique<Function>(std::move(function));
  const HostCall callAndFree{
      .function = [](void* data) { (*std::unique_ptr<Function>(static_cast<Function*>(data)))(); },
      .data = kept.get(),
      .drop = [](void* data) { delete static_cast<Function*>(data); }};
  auto queued = device_.in("queueing a call", [&] { return device_.api().callOn(stream_, callAndFree); });
  if (queued) (void)kept.release();
  return queued;
}

Result<void*> GpuStream::allocate(std::size_t bytes) {
  void* out = nullptr;
  auto done = device_.in("allocating from the pool", [&] { return device_.api().allocateOn(out, bytes, stream_); });
  if (done) return out;
  done.error().message = fmt::format("{} ({} bytes of the device's {} were asked for)", done.error().message, bytes,
                                     device_.info().memoryBytes);
  return std::move(done).error();
}

void GpuStream::free(void* address) noexcept {
  device_.quietlyIn([&] { return device_.api().freeOn(address, stream_); });
}

Result<void> GpuStream::beginCapture() {
  auto begun = device_.in("beginning to capture a stream", [&] { return device_.api().beginCapture(stream_); });
  if (begun) captured_ = std::make_shared<GpuGraphParts>();
  return begun;
}

Result<std::unique_ptr<GraphDriver>> GpuStream::endCapture() {
  Handle graph = nullptr;
  auto parts = std::exchange(captured_, nullptr);
  parts->close();
  auto ended = device_.in("capturing a stream", [&] { return device_.api().endCapture(graph, stream_); });
  if (!ended) return std::move(ended).error();
  return std::unique_ptr<GraphDriver>(std::make_unique<GpuGraph>(device_, graph, std::move(parts)));
}

}  // namespace lathe::detail
