// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of drivers that have them.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "runtimes/common/gpu/gpu_context.h"

namespace lathe::detail {

class GpuGraph final : public GraphDriver {
 public:
  using Handle = GpuApi::Handle;
  /// The host functions of a graph, at addresses that stay. Its runs keep them too.
  using Functions = std::vector<std::unique_ptr<std::function<void()>>>;

  /// Takes the handle, of an empty graph. The public Graph keeps the device.
  GpuGraph(const GpuDevice& device, Handle graph)
      : device_(device), graph_(graph), functions_(std::make_shared<Functions>()) {}
  /// The same of a graph that the driver made of a stream's work, in which these functions are.
  GpuGraph(const GpuDevice& device, Handle graph, std::shared_ptr<Functions> functions)
      : device_(device), graph_(graph), functions_(std::move(functions)) {}
  /// Adds a function; returns what the driver calls.
  [[nodiscard]] static std::pair<void (*)(void*), void*> keep(Functions& functions, std::function<void()> function);
  ~GpuGraph() override;
  Result<void> addKernel(std::span<const GraphNode> after, const Node& kernel, const LaunchOptions& options,
                         std::span<const void* const> arguments) override;
  Result<void> addCopy(std::span<const GraphNode> after, void* to, const void* from, std::size_t bytes,
                       CopyKind kind) override;
  Result<void> addFill(std::span<const GraphNode> after, void* to, std::uint8_t value, std::size_t bytes) override;
  Result<void> addCall(std::span<const GraphNode> after, std::function<void()> function) override;
  Result<std::unique_ptr<GraphRunDriver>> instantiate() const override;

 private:
  /// Adds one node by add(handle, after), which gives the driver's status.
  template <class Add>
  Result<void> addNode(std::span<const GraphNode> after, Node kernel, const Add& add);

  const GpuDevice& device_;
  Handle graph_;
  std::vector<Handle> handles_;  ///< of the nodes
  std::shared_ptr<Functions> functions_;
};

}  // namespace lathe::detail
