// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph for runtimes whose driver has none: the nodes are kept, and queued on a stream one by one in the order in
// which they were added, in which each comes behind those that it begins after.
#pragma once

#include <functional>
#include <vector>

#include "runtimes/common/driver.h"

namespace lathe::detail {

/// The values of a kernel's arguments.
class KeptArguments {
 public:
  KeptArguments(const EntryPoint& entry, std::span<const void* const> arguments);
  [[nodiscard]] std::vector<const void*> pointers() const;

 private:
  std::vector<std::size_t> offsets_;
  std::vector<std::max_align_t> bytes_;
};

class RecordedGraph final : public GraphDriver {
 public:
  /// Queues one node on a stream of the device.
  using Step = std::function<Result<void>(DeviceDriver& device, StreamDriver& stream)>;

  /// The public Graph keeps the device.
  explicit RecordedGraph(DeviceDriver& device) : device_(device) {}
  Result<void> addKernel(std::span<const GraphNode> after, const Node& kernel, const LaunchOptions& options,
                         std::span<const void* const> arguments) override;
  Result<void> addCopy(std::span<const GraphNode> after, void* to, const void* from, std::size_t bytes,
                       CopyKind kind) override;
  Result<void> addBlock(const BlockCopy& block, CopyKind kind) override;
  Result<void> addFill(std::span<const GraphNode> after, void* to, std::uint8_t value, std::size_t bytes) override;
  Result<void> addCall(std::span<const GraphNode> after, std::function<void()> function) override;
  Result<std::unique_ptr<GraphRunDriver>> instantiate() const override;

 private:
  DeviceDriver& device_;
  std::vector<Step> steps_;
};

}  // namespace lathe::detail
