// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs whose nodes are queued one by one.
#include "runtimes/common/recorded_graph.h"

#include <cstring>
#include <mutex>

#include "runtimes/common/stream_work.h"

namespace lathe::detail {
namespace {

constexpr std::size_t unit = sizeof(std::max_align_t);

RecordedGraph::Step launchStep(GraphDriver::Node kernel, const LaunchOptions& options,
                               std::span<const void* const> arguments) {
  LaunchOptions kept = options;
  kept.stream = nullptr;
  KeptArguments values(kernel->entry(), arguments);
  return [kernel = std::move(kernel), kept, values = std::move(values)](DeviceDriver&, StreamDriver& stream) {
    return kernel->launch(kept, &stream, values.pointers());
  };
}

class RecordedRun final : public GraphRunDriver {
 public:
  RecordedRun(DeviceDriver& device, std::vector<RecordedGraph::Step> steps, std::vector<GraphDriver::Node> nodes)
      : device_(device), steps_(std::move(steps)), nodes_(std::move(nodes)) {}
  Result<void> launch(StreamDriver& stream) override {
    const std::scoped_lock lock(mutex_);
    if (last_)
      if (auto waits = stream.wait(*last_); !waits) return waits;
    Result<void> queued;
    for (auto step = steps_.begin(); step != steps_.end() && queued; ++step) queued = (*step)(device_, stream);
    auto end = stream.record();
    if (!end) return queued ? Result<void>(std::move(end).error()) : queued;
    last_ = *std::move(end);
    return queued;
  }
  Result<void> update(std::size_t node, const LaunchOptions& options, std::span<const void* const> arguments) override {
    steps_[node] = launchStep(nodes_[node], options, arguments);
    return {};
  }

 private:
  DeviceDriver& device_;
  std::vector<RecordedGraph::Step> steps_;
  std::vector<GraphDriver::Node> nodes_;
  std::mutex mutex_;
  std::unique_ptr<EventDriver> last_;  ///< behind the launch before, which the next one follows on any stream
};

}  // namespace

KeptArguments::KeptArguments(const EntryPoint& entry, std::span<const void* const> arguments) {
  std::size_t units = 0;
  for (const Parameter& parameter : entry.parameters) {
    offsets_.push_back(units);
    units += (parameter.type.size + unit - 1) / unit;
  }
  bytes_.resize(units);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    std::memcpy(&bytes_[offsets_[i]], arguments[i], entry.parameters[i].type.size);
}

std::vector<const void*> KeptArguments::pointers() const {
  std::vector<const void*> out;
  out.reserve(offsets_.size());
  for (const std::size_t offset : offsets_) out.push_back(bytes_.data() + offset);
  return out;
}

Result<void> RecordedGraph::addKernel(std::span<const GraphNode>, const Node& kernel, const LaunchOptions& options,
                                      std::span<const void* const> arguments) {
  steps_.push_back(launchStep(kernel, options, arguments));
  note(kernel);
  return {};
}

Result<void> RecordedGraph::addCopy(std::span<const GraphNode>, void* to, const void* from, std::size_t bytes,
                                    CopyKind kind) {
  steps_.emplace_back(
      [=](DeviceDriver& device, StreamDriver& stream) { return queueCopy(device, stream, to, from, bytes, kind); });
  note(nullptr);
  return {};
}

Result<void> RecordedGraph::addBlock(const BlockCopy& block, CopyKind kind) {
  steps_.emplace_back(
      [=](DeviceDriver& device, StreamDriver& stream) { return queueBlock(device, stream, block, kind); });
  note(nullptr);
  return {};
}

Result<void> RecordedGraph::addFill(std::span<const GraphNode>, void* to, std::uint8_t value, std::size_t bytes) {
  steps_.emplace_back(
      [=](DeviceDriver& device, StreamDriver& stream) { return queueFill(device, stream, to, value, bytes); });
  note(nullptr);
  return {};
}

Result<void> RecordedGraph::addCall(std::span<const GraphNode>, std::function<void()> function) {
  steps_.emplace_back(
      [function = std::move(function)](DeviceDriver&, StreamDriver& stream) { return queueCall(stream, function); });
  note(nullptr);
  return {};
}

Result<std::unique_ptr<GraphRunDriver>> RecordedGraph::instantiate() const {
  return std::unique_ptr<GraphRunDriver>(std::make_unique<RecordedRun>(device_, steps_, nodes()));
}

}  // namespace lathe::detail
