// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public Event and Stream: checks that hold for every runtime, then one call into it.
#include <lathe/runtime/stream.h>

#include <lathe/runtime/graph.h>

#include "runtimes/api/capture.h"
#include "runtimes/api/checks.h"
#include "runtimes/common/driver.h"
#include "runtimes/common/stream_work.h"

namespace lathe {

using detail::CopyKind;
using detail::invalidArgument;

// --- Event

Event::Event(Event&&) noexcept = default;

Event& Event::operator=(Event&& other) noexcept {
  // Swapped, not moved member by member: the old event must go before the device it belongs to.
  std::swap(driver_, other.driver_);
  std::swap(event_, other.event_);
  return *this;
}

Event::~Event() = default;

Result<void> Event::synchronize() const {
  return event_->synchronize();
}

Result<double> Event::elapsedUntil(const Event& later) const {
  if (later.driver_ != driver_) return invalidArgument("event: the other one is of another device");
  return event_->elapsedUntil(*later.event_);
}

// --- Stream

namespace {

/// What cannot be in a graph that Lathe itself records.
Error notWhileRecording(std::string_view what) {
  return invalidArgument(fmt::format("stream: {} is not possible between beginCapture() and endCapture()", what));
}

}  // namespace

Stream::Stream() noexcept = default;

Stream::Stream(Stream&&) noexcept = default;

Stream& Stream::operator=(Stream&& other) noexcept {
  // Swapped, not moved member by member: the old queue must go before the device it belongs to.
  std::swap(driver_, other.driver_);
  std::swap(stream_, other.stream_);
  std::swap(start_, other.start_);
  std::swap(capture_, other.capture_);
  return *this;
}

Stream::~Stream() = default;

Result<void> Stream::synchronize() {
  if (capture_) return notWhileRecording("waiting");
  return stream_->synchronize();
}

Result<bool> Stream::isDone() {
  if (capture_) return notWhileRecording("asking whether all is done");
  return stream_->isDone();
}

Result<Event> Stream::record() {
  if (capture_ && capture_->recorded()) return notWhileRecording("an event");
  auto event = stream_->record();
  if (!event) return std::move(event).error();
  Event out;
  out.driver_ = driver_;
  out.event_ = *std::move(event);
  return out;
}

Result<void> Stream::wait(const Event& event) {
  if (event.driver_ != driver_) return invalidArgument("stream: the event is of another device");
  if (capture_ && capture_->recorded()) return notWhileRecording("waiting for an event");
  return stream_->wait(*event.event_);
}

Result<void> Stream::recordStart() {
  if (capture_) return notWhileRecording("measuring");
  auto start = stream_->record();
  if (!start) return std::move(start).error();
  start_ = *std::move(start);
  return {};
}

Result<double> Stream::elapsedSinceStart() {
  if (!start_) return invalidArgument("stream: no start was recorded; call recordStart() first");
  if (capture_) return notWhileRecording("measuring");
  auto stop = stream_->record();
  if (!stop) return std::move(stop).error();
  return start_->elapsedUntil(**stop);
}

Result<void> Stream::copyBytes(void* to, const void* from, std::size_t bytes, int direction) {
  if (bytes == 0) return {};
  const auto kind = static_cast<CopyKind>(direction);
  if (capture_ && capture_->recorded()) return capture_->recorded()->addCopy({}, to, from, bytes, kind);
  return detail::queueCopy(*driver_, *stream_, to, from, bytes, kind);
}

Result<void> Stream::upload(Memory& to, const void* from, std::size_t bytes, std::size_t offset) {
  if (auto inside = detail::checkRange(to.bytes(), bytes, offset); !inside) return inside;
  if (bytes != 0 && to.driver_ != driver_) return invalidArgument("stream: the memory is of another device");
  return copyBytes(static_cast<std::byte*>(to.address()) + offset, from, bytes, static_cast<int>(CopyKind::upload));
}

Result<void> Stream::download(const Memory& from, void* to, std::size_t bytes, std::size_t offset) {
  if (auto inside = detail::checkRange(from.bytes(), bytes, offset); !inside) return inside;
  if (bytes != 0 && from.driver_ != driver_) return invalidArgument("stream: the memory is of another device");
  return copyBytes(to, static_cast<const std::byte*>(from.address()) + offset, bytes,
                   static_cast<int>(CopyKind::download));
}

Result<void> Stream::copy(Memory& to, const Memory& from, std::size_t bytes, std::size_t toOffset,
                          std::size_t fromOffset) {
  if (auto inside = detail::checkRange(to.bytes(), bytes, toOffset); !inside) return inside;
  if (auto inside = detail::checkRange(from.bytes(), bytes, fromOffset); !inside) return inside;
  if (bytes == 0) return {};
  auto direction = directionOf(to, from);
  if (!direction) return std::move(direction).error();
  return copyBytes(static_cast<std::byte*>(to.address()) + toOffset,
                   static_cast<const std::byte*>(from.address()) + fromOffset, bytes, *direction);
}

Result<int> Stream::directionOf(const Memory& to, const Memory& from) const {
  const auto isHost = [&](const Memory& memory) {
    return memory.driver_ != driver_ && memory.driver_->info().runtime == "cpu";
  };
  CopyKind kind = CopyKind::within;
  if (to.driver_ == driver_ && isHost(from)) {
    kind = CopyKind::upload;
  } else if (from.driver_ == driver_ && isHost(to)) {
    kind = CopyKind::download;
  } else if ((to.driver_ != driver_ && from.driver_ != driver_) ||
             to.driver_->info().runtime != from.driver_->info().runtime) {
    return invalidArgument(
        "stream: one memory must be of the stream's device, the other of it, of another device of its runtime, or of "
        "the CPU");
  }
  return static_cast<int>(kind);
}

Result<void> Stream::copyRows(const detail::BlockCopy& copy, int direction) {
  if (copy.rowBytes == 0) return {};
  const auto kind = static_cast<CopyKind>(direction);
  if (capture_ && capture_->recorded()) return capture_->recorded()->addBlock(copy, kind);
  return detail::queueBlock(*driver_, *stream_, copy, kind);
}

Result<void> Stream::uploadBlock(Memory& to, const BlockPlace& place, const void* from, const BlockPlace& fromPlace,
                                 const BlockSize& size) {
  auto block = detail::checkedCopy({to.address(), to.bytes()}, place, {from, SIZE_MAX}, fromPlace, size);
  if (!block) return std::move(block).error();
  if (block->rowBytes != 0 && to.driver_ != driver_) return invalidArgument("stream: the memory is of another device");
  return copyRows(*block, static_cast<int>(CopyKind::upload));
}

Result<void> Stream::downloadBlock(const Memory& from, const BlockPlace& place, void* to, const BlockPlace& toPlace,
                                   const BlockSize& size) {
  auto block = detail::checkedCopy({to, SIZE_MAX}, toPlace, {from.address(), from.bytes()}, place, size);
  if (!block) return std::move(block).error();
  if (block->rowBytes != 0 && from.driver_ != driver_)
    return invalidArgument("stream: the memory is of another device");
  return copyRows(*block, static_cast<int>(CopyKind::download));
}

Result<void> Stream::copyBlock(Memory& to, const BlockPlace& toPlace, const Memory& from, const BlockPlace& fromPlace,
                               const BlockSize& size) {
  auto block =
      detail::checkedCopy({to.address(), to.bytes()}, toPlace, {from.address(), from.bytes()}, fromPlace, size);
  if (!block) return std::move(block).error();
  if (block->rowBytes == 0) return {};
  auto direction = directionOf(to, from);
  if (!direction) return std::move(direction).error();
  return copyRows(*block, *direction);
}

Result<void> Stream::fill(Memory& memory, std::uint8_t value) {
  if (memory.bytes() == 0) return {};
  if (memory.driver_ != driver_) return invalidArgument("stream: the memory is of another device");
  if (capture_ && capture_->recorded())
    return capture_->recorded()->addFill({}, memory.address(), value, memory.bytes());
  return detail::queueFill(*driver_, *stream_, memory.address(), value, memory.bytes());
}

Result<void> Stream::call(std::function<void()> function) {
  if (!function) return invalidArgument("stream: the function to call is empty");
  if (capture_ && capture_->recorded()) return capture_->recorded()->addCall({}, std::move(function));
  return detail::queueCall(*stream_, std::move(function));
}

Result<Memory> Stream::allocateBytes(std::size_t bytes) {
  Memory out;
  out.driver_ = driver_;
  if (bytes == 0) return out;
  if (capture_) return notWhileRecording("allocating");
  const bool pooled = stream_->hasPool();  // a question to the driver
  auto address = pooled ? stream_->allocate(bytes) : driver_->allocate(bytes);
  if (!address) return std::move(address).error();
  if (pooled) out.stream_ = stream_;
  out.address_ = *address;
  out.bytes_ = bytes;
  return out;
}

Result<Memory> Stream::allocateArray(std::size_t count, std::size_t elementBytes) {
  auto bytes = detail::arrayBytes(driver_->info().runtime, count, elementBytes);
  if (!bytes) return std::move(bytes).error();
  return allocateBytes(*bytes);
}

Result<void> Stream::beginCapture() {
  if (capture_) return notWhileRecording("another beginCapture()");
  std::unique_ptr<detail::GraphDriver> recorded;
  if (stream_->captures()) {
    if (auto begun = stream_->beginCapture(); !begun) return begun;
  } else {
    auto graph = driver_->createGraph();
    if (!graph) return std::move(graph).error();
    recorded = *std::move(graph);
  }
  capture_ = std::make_unique<detail::Capture>(std::move(recorded));
  return {};
}

Result<Graph> Stream::endCapture() {
  if (!capture_) return invalidArgument("stream: nothing is being captured; call beginCapture() first");
  const auto capture = std::exchange(capture_, nullptr);
  std::unique_ptr<detail::GraphDriver> captured;
  if (!capture->recorded()) {
    auto ended = stream_->endCapture();
    if (!ended) return std::move(ended).error();
    captured = *std::move(ended);
  }
  Graph out;
  out.driver_ = driver_;
  out.graph_ = capture->finish(std::move(captured));
  out.graph_->markCaptured();
  return out;
}

void* Stream::nativeHandle() const noexcept {
  return stream_->nativeHandle();
}

}  // namespace lathe
