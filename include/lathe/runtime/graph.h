// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: work that is described once and launched many times at the cost of one launch. A graph is built node by node,
// or from what a stream is given (Stream::beginCapture()); instantiate() makes it a GraphRun, whose kernels' arguments
// may be changed between launches.
//
//   auto graph = device->createGraph();
//   auto first = graph->add(*blur, {}, {.grid = {64}, .group = {256}}, in, middle);
//   auto second = graph->add(*blur, {*first}, {.grid = {64}, .group = {256}}, middle, out);
//   auto run = graph->instantiate();
//   for (int i = 0; i < 100; ++i) (void)run->launch(stream);
//
// On "cuda" and "hip" a graph is the driver's; elsewhere its nodes are queued one by one, in the order in which they
// were added. A graph keeps the kernels that are in it loaded; memory it does not keep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <lathe/export.h>
#include <lathe/result.h>
#include <lathe/runtime/kernel.h>
#include <lathe/runtime/memory.h>
#include <lathe/runtime/stream.h>

namespace lathe {

namespace detail {
class GraphDriver;
class GraphRunDriver;
}  // namespace detail

/// A node of a graph, by its number in it.
struct GraphNode {
  std::size_t number = 0;
};

/// The nodes that a new one begins after; none: it begins with the graph.
using After = std::vector<GraphNode>;

/// A graph ready to run. Move-only; used by one thread at a time. Keeps its device open.
class LATHE_API GraphRun {
 public:
  GraphRun(GraphRun&&) noexcept;
  GraphRun& operator=(GraphRun&&) noexcept;
  ~GraphRun();
  /// Queues the graph on a stream of its device. Launches of one run follow each other, also on several streams.
  /// Errors: InvalidArgument (the stream is of another device), DeviceFault, OutOfHostMemory, DriverError.
  [[nodiscard]] Result<void> launch(Stream& stream);
  /// Gives a kernel's node another shape and other arguments from the next launch on. Errors: InvalidArgument (the node
  /// is no kernel's; the run is of a captured graph), and as RawKernel::launch().
  [[nodiscard]] Result<void> update(GraphNode node, const LaunchOptions& options,
                                    std::span<const void* const> arguments);
  /// The same by the kernel's type, with arguments that are adapted.
  template <class... Args, class... Given>
    requires(sizeof...(Given) == sizeof...(Args))
  [[nodiscard]] Result<void> update(GraphNode node, const Kernel<Args...>&, const LaunchOptions& options,
                                    const Given&... given) {
    return Kernel<Args...>::with([&](auto arguments) { return update(node, options, arguments); }, given...);
  }

 private:
  friend class Graph;
  GraphRun() = default;
  std::shared_ptr<detail::DeviceDriver> driver_;
  std::vector<std::shared_ptr<const detail::LoadedKernel>> kernels_;  ///< of the nodes; of a captured graph, to keep
  std::size_t nodes_ = 0;                                             ///< 0: it was captured
  std::unique_ptr<detail::GraphRunDriver> run_;
};

/// A graph under construction. Move-only; used by one thread at a time. Keeps its device open. Errors of what adds
/// nodes: InvalidArgument (a node to begin after that is not there; memory of another device; a range outside of the
/// memory; a captured graph), OutOfHostMemory, DriverError.
class LATHE_API Graph {
 public:
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  ~Graph();
  /// Adds a launch; the arguments are copied. LaunchOptions::stream is not looked at. Errors: as of RawKernel::launch()
  /// too, and Unsupported ("cuda": parameters of more bytes than the driver takes, which launches copy to memory).
  [[nodiscard]] Result<GraphNode> add(const RawKernel& kernel, const After& after, const LaunchOptions& options,
                                      std::span<const void* const> arguments);
  /// The same by the kernel's type, with arguments that are adapted.
  template <class... Args, class... Given>
    requires(sizeof...(Given) == sizeof...(Args))
  [[nodiscard]] Result<GraphNode> add(const Kernel<Args...>& kernel, const After& after, const LaunchOptions& options,
                                      const Given&... given) {
    return Kernel<Args...>::with([&](auto arguments) { return add(kernel.raw(), after, options, arguments); },
                                 given...);
  }
  /// Adds a copy from the host, which is read at each launch. Errors: InvalidArgument, DriverError, as all nodes'.
  [[nodiscard]] Result<GraphNode> addUpload(Memory& to, const void* from, std::size_t bytes, std::size_t offset = 0,
                                            const After& after = {});
  /// Adds a copy to the host. Errors: InvalidArgument, DriverError.
  [[nodiscard]] Result<GraphNode> addDownload(const Memory& from, void* to, std::size_t bytes, std::size_t offset = 0,
                                              const After& after = {});
  /// Adds setting every byte. Errors: InvalidArgument, DriverError.
  [[nodiscard]] Result<GraphNode> addFill(Memory& memory, std::uint8_t value, const After& after = {});
  /// Adds a call of a host function, as Stream::call() makes it. Errors: InvalidArgument (it is empty), DriverError.
  [[nodiscard]] Result<GraphNode> addCall(std::function<void()> function, const After& after = {});
  /// The graph as it is now, ready to run; it may be built on, and made ready again. Errors: OutOfDeviceMemory,
  /// OutOfHostMemory, DriverError.
  [[nodiscard]] Result<GraphRun> instantiate() const;

 private:
  friend class Device;
  friend class Stream;
  Graph() = default;
  [[nodiscard]] Result<void> check(const After& after) const;
  std::shared_ptr<detail::DeviceDriver> driver_;
  std::unique_ptr<detail::GraphDriver> graph_;
};

}  // namespace lathe
