// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of drivers that have them.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtimes/common/gpu/gpu_context.h"

namespace lathe::detail {

/// What the nodes of a driver's graph refer to; the graph and its runs keep it. Safe from any thread: streams that take
/// part in one capture may belong to several.
class GpuGraphParts {
 public:
  /// Keeps a host function; returns how the driver calls it.
  [[nodiscard]] HostCall keep(std::function<void()> function);
  /// Keeps the code of a kernel loaded.
  void keep(std::shared_ptr<const LoadedModule> code);
  /// A kernel was added that uses the state of the default queue.
  void noteState(bool waitsForGrid) noexcept {
    if (waitsForGrid) waitsForGrid_ = true;
    usesState_ = true;
  }
  [[nodiscard]] bool usesState() const noexcept { return usesState_; }
  [[nodiscard]] bool waitsForGrid() const noexcept { return waitsForGrid_; }
  /// Whether what streams are given is still captured for the graph.
  [[nodiscard]] bool isOpen() const noexcept { return isOpen_; }
  void close() noexcept { isOpen_ = false; }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<std::function<void()>>> functions_;  ///< at addresses that stay
  std::vector<std::shared_ptr<const LoadedModule>> code_;
  std::atomic<bool> usesState_ = false, waitsForGrid_ = false, isOpen_ = true;
};

class GpuGraph final : public GraphDriver {
 public:
  using Handle = GpuApi::Handle;

  /// Takes the handle, of an empty graph. The public Graph keeps the device.
  GpuGraph(const GpuDevice& device, Handle graph) : GpuGraph(device, graph, std::make_shared<GpuGraphParts>()) {}
  /// The same of a graph that the driver made of a stream's work.
  GpuGraph(const GpuDevice& device, Handle graph, std::shared_ptr<GpuGraphParts> parts)
      : device_(device), graph_(graph), parts_(std::move(parts)) {}
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
  std::shared_ptr<GpuGraphParts> parts_;
};

}  // namespace lathe::detail
