// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public Graph and GraphRun: checks that hold for every runtime, then one call into it.
#include <lathe/runtime/graph.h>

#include "runtimes/api/checks.h"
#include "runtimes/api/launches.h"
#include "runtimes/common/driver.h"

namespace lathe {

using detail::CopyKind;
using detail::invalidArgument;

Graph::Graph(Graph&&) noexcept = default;

Graph& Graph::operator=(Graph&& other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(graph_, other.graph_);
  return *this;
}

Graph::~Graph() = default;

Result<void> Graph::check(const After& after) const {
  if (graph_->isCaptured())
    return invalidArgument(
        "graph: it was captured from a stream, and takes no further nodes; build it by nodes instead");
  const std::size_t count = graph_->nodes().size();
  for (const GraphNode node : after) {
    if (node.number >= count)
      return invalidArgument(fmt::format("graph: there is no node {} to begin after; it has {}", node.number, count));
  }
  return {};
}

namespace {

/// The number of the node that was added last, unless `added` failed.
Result<GraphNode> last(const detail::GraphDriver& graph, Result<void> added) {
  if (!added) return std::move(added).error();
  return GraphNode{graph.nodes().size() - 1};
}

Result<void> checkMemory(const std::shared_ptr<detail::DeviceDriver>& graph,
                         const std::shared_ptr<detail::DeviceDriver>& memory, std::size_t have, std::size_t bytes,
                         std::size_t offset) {
  if (bytes == 0) return invalidArgument("graph: a node for 0 bytes");
  if (auto inside = detail::checkRange(have, bytes, offset); !inside) return inside;
  if (memory != graph) return invalidArgument("graph: the memory is of another device");
  return {};
}

}  // namespace

Result<GraphNode> Graph::add(const RawKernel& kernel, const After& after, const LaunchOptions& options,
                             std::span<const void* const> arguments) {
  if (auto sound = check(after); !sound) return std::move(sound).error();
  if (&kernel.kernel_->device() != driver_.get())
    return invalidArgument(fmt::format("graph: kernel '{}' was loaded on another device", kernel.entry().name));
  if (auto possible = detail::checkRequest(*kernel.kernel_, options, arguments); !possible)
    return std::move(possible).error();
  return last(*graph_, graph_->addKernel(after, kernel.kernel_, options, arguments));
}

Result<GraphNode> Graph::addUpload(Memory& to, const void* from, std::size_t bytes, std::size_t offset,
                                   const After& after) {
  if (auto sound = check(after); !sound) return std::move(sound).error();
  if (auto sound = checkMemory(driver_, to.driver_, to.bytes(), bytes, offset); !sound) return std::move(sound).error();
  auto* const place = static_cast<std::byte*>(to.address()) + offset;
  return last(*graph_, graph_->addCopy(after, place, from, bytes, CopyKind::upload));
}

Result<GraphNode> Graph::addDownload(const Memory& from, void* to, std::size_t bytes, std::size_t offset,
                                     const After& after) {
  if (auto sound = check(after); !sound) return std::move(sound).error();
  if (auto sound = checkMemory(driver_, from.driver_, from.bytes(), bytes, offset); !sound)
    return std::move(sound).error();
  const auto* const place = static_cast<const std::byte*>(from.address()) + offset;
  return last(*graph_, graph_->addCopy(after, to, place, bytes, CopyKind::download));
}

Result<GraphNode> Graph::addFill(Memory& memory, std::uint8_t value, const After& after) {
  if (auto sound = check(after); !sound) return std::move(sound).error();
  if (auto sound = checkMemory(driver_, memory.driver_, memory.bytes(), memory.bytes(), 0); !sound)
    return std::move(sound).error();
  return last(*graph_, graph_->addFill(after, memory.address(), value, memory.bytes()));
}

Result<GraphNode> Graph::addCall(std::function<void()> function, const After& after) {
  if (auto sound = check(after); !sound) return std::move(sound).error();
  if (!function) return invalidArgument("graph: the function to call is empty");
  return last(*graph_, graph_->addCall(after, std::move(function)));
}

Result<GraphRun> Graph::instantiate() const {
  auto run = graph_->instantiate();
  if (!run) return std::move(run).error();
  GraphRun out;
  out.driver_ = driver_;
  out.nodes_ = graph_->isCaptured() ? 0 : graph_->nodes().size();
  out.kernels_ = graph_->nodes();
  out.run_ = *std::move(run);
  return out;
}

// --- GraphRun

GraphRun::GraphRun(GraphRun&&) noexcept = default;

GraphRun& GraphRun::operator=(GraphRun&& other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(kernels_, other.kernels_);
  std::swap(nodes_, other.nodes_);
  std::swap(run_, other.run_);
  return *this;
}

GraphRun::~GraphRun() = default;

Result<void> GraphRun::launch(Stream& stream) {
  if (stream.driver_ != driver_) return invalidArgument("graph: the stream is of another device");
  if (stream.capture_) return invalidArgument("graph: a stream that captures cannot launch a graph");
  return run_->launch(*stream.stream_);
}

Result<void> GraphRun::update(GraphNode node, const LaunchOptions& options, std::span<const void* const> arguments) {
  if (nodes_ == 0) return invalidArgument("graph: it was captured from a stream, and has no nodes to update");
  if (node.number >= nodes_ || !kernels_[node.number])
    return invalidArgument(fmt::format("graph: node {} is no kernel's", node.number));
  if (auto possible = detail::checkRequest(*kernels_[node.number], options, arguments); !possible) return possible;
  return run_->update(node.number, options, arguments);
}

}  // namespace lathe
