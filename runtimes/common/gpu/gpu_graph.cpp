// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of drivers that have them.
#include "runtimes/common/gpu/gpu_graph.h"

#include <algorithm>

#include "runtimes/common/gpu/gpu_kernel.h"
#include "runtimes/common/gpu/gpu_stream.h"

namespace lathe::detail {
namespace {

class GpuGraphRun final : public GraphRunDriver {
 public:
  using Handle = GpuApi::Handle;
  GpuGraphRun(const GpuDevice& device, Handle run, std::vector<Handle> handles, std::vector<GraphDriver::Node> kernels,
              std::shared_ptr<GpuGraphParts> parts)
      : device_(device),
        run_(run),
        handles_(std::move(handles)),
        kernels_(std::move(kernels)),
        parts_(std::move(parts)) {}
  ~GpuGraphRun() override {
    // What runs still needs the kernels and the host functions.
    device_.quietlyIn([&] {
      (void)device_.api().synchronizeContext();
      return device_.api().destroyRun(run_);
    });
  }
  Result<void> launch(StreamDriver& stream) override {
    return device_.in("launching a graph", [&] {
      const auto launch = [&] { return device_.api().launchRun(run_, stream.nativeHandle()); };
      if (!parts_->usesState()) return launch();
      return device_.states().defaultQueue().launchGraph(device_.api(), parts_->waitsForGrid(), launch);
    });
  }
  Result<void> update(std::size_t node, const LaunchOptions& options, std::span<const void* const> arguments) override {
    const auto& kernel = static_cast<const GpuKernel&>(*kernels_[node]);
    return kernel.named(device_.in("updating a graph", [&] {
      return kernel.submitNode(*parts_, options, arguments,
                               [&](Handle function, const LaunchOptions& launched, const void* const* all) {
                                 return device_.api().updateKernel(run_, handles_[node], function, launched, all);
                               });
    }));
  }

 private:
  const GpuDevice& device_;
  Handle run_;
  std::vector<Handle> handles_;
  std::vector<GraphDriver::Node> kernels_;
  std::shared_ptr<GpuGraphParts> parts_;
};

}  // namespace

GpuGraph::~GpuGraph() {
  device_.quietlyIn([&] { return device_.api().destroyGraph(graph_); });
}

HostCall GpuGraphParts::keep(std::function<void()> function) {
  const std::scoped_lock lock(mutex_);
  functions_.push_back(std::make_unique<std::function<void()>>(std::move(function)));
  return {.function = [](void* data) { (*static_cast<std::function<void()>*>(data))(); },
          .data = functions_.back().get()};
}

void GpuGraphParts::keep(std::shared_ptr<const LoadedModule> code) {
  const std::scoped_lock lock(mutex_);
  if (std::ranges::find(code_, code) == code_.end()) code_.push_back(std::move(code));
}

template <class Add>
Result<void> GpuGraph::addNode(std::span<const GraphNode> after, Node kernel, const Add& add) {
  std::vector<Handle> before;
  before.reserve(after.size());
  for (const GraphNode node : after) before.push_back(handles_[node.number]);
  Handle handle = nullptr;
  auto added = device_.in("adding to a graph", [&] { return add(handle, std::span<const Handle>(before)); });
  if (!added) return added;
  handles_.push_back(handle);
  note(std::move(kernel));
  return {};
}

Result<void> GpuGraph::addKernel(std::span<const GraphNode> after, const Node& kernel, const LaunchOptions& options,
                                 std::span<const void* const> arguments) {
  const auto& own = static_cast<const GpuKernel&>(*kernel);
  if (auto possible = own.checkNode(); !possible) return possible;
  return own.named(addNode(after, kernel, [&](Handle& node, std::span<const Handle> before) {
    return own.submitNode(*parts_, options, arguments,
                          [&](Handle function, const LaunchOptions& launched, const void* const* all) {
                            return device_.api().addKernel(node, graph_, before, function, launched, all);
                          });
  }));
}

Result<void> GpuGraph::addCopy(std::span<const GraphNode> after, void* to, const void* from, std::size_t bytes,
                               CopyKind kind) {
  return addNode(after, nullptr, [&](Handle& node, std::span<const Handle> before) {
    return device_.api().addCopy(node, graph_, before, to, from, bytes, kind);
  });
}

Result<void> GpuGraph::addFill(std::span<const GraphNode> after, void* to, std::uint8_t value, std::size_t bytes) {
  return addNode(after, nullptr, [&](Handle& node, std::span<const Handle> before) {
    return device_.api().addFill(node, graph_, before, to, value, bytes);
  });
}

Result<void> GpuGraph::addCall(std::span<const GraphNode> after, std::function<void()> function) {
  const HostCall kept = parts_->keep(std::move(function));
  return addNode(after, nullptr, [&](Handle& node, std::span<const Handle> before) {
    return device_.api().addCall(node, graph_, before, kept);
  });
}

Result<std::unique_ptr<GraphRunDriver>> GpuGraph::instantiate() const {
  Handle run = nullptr;
  auto made = device_.in("making a graph ready", [&] { return device_.api().instantiate(run, graph_); });
  if (!made) return std::move(made).error();
  return std::unique_ptr<GraphRunDriver>(std::make_unique<GpuGraphRun>(device_, run, handles_, nodes(), parts_));
}

}  // namespace lathe::detail
