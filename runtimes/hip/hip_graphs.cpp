// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The HIP runtime API: graphs.
#include "runtimes/hip/hip_api.h"

namespace lathe::detail {
namespace {

HipKernelNode kernelNode(GpuApi::Handle function, const LaunchOptions& options, const void* const* arguments) {
  const Extent3& grid = options.grid;
  const Extent3& group = options.group;
  // The runtime copies the values and does not write to them, whatever its signature says.
  return {.block = {group.x, group.y, group.z},
          .extra = nullptr,
          .function = function,
          .grid = {grid.x, grid.y, grid.z},
          .parameters = const_cast<void**>(arguments),
          .sharedBytes = options.dynamicSharedBytes};
}

}  // namespace

bool HipApi::hasGraphs() const noexcept {
  // What a stream is given while it is captured comes by the functions of queues.
  return queues() && StreamBeginCapture && StreamEndCapture && GraphCreate && GraphDestroy && GraphAddKernelNode &&
         GraphKernelNodeSetAttribute && GraphAddMemcpyNode1D && GraphAddMemsetNode && GraphAddHostNode &&
         GraphInstantiate && GraphExecDestroy && GraphLaunch && GraphExecKernelNodeSetParams;
}

GpuApi::Status HipApi::addKernel(Handle& node, Handle graph, std::span<const Handle> after, Handle function,
                                 const LaunchOptions& options, const void* const* arguments) const {
  const HipKernelNode parameters = kernelNode(function, options, arguments);
  const HipError status = GraphAddKernelNode(&node, graph, after.data(), after.size(), &parameters);
  if (status != 0 || !options.cooperative) return status;
  const HipNodeAttribute cooperative{.cooperative = 1};
  return GraphKernelNodeSetAttribute(node, HipNodeAttribute::Kind::cooperative, &cooperative);
}

GpuApi::Status HipApi::updateKernel(Handle run, Handle node, Handle function, const LaunchOptions& options,
                                    const void* const* arguments) const {
  const HipKernelNode parameters = kernelNode(function, options, arguments);
  return GraphExecKernelNodeSetParams(run, node, &parameters);
}

GpuApi::Status HipApi::addCopy(Handle& node, Handle graph, std::span<const Handle> after, void* to, const void* from,
                               std::size_t bytes, CopyKind kind) const {
  return GraphAddMemcpyNode1D(&node, graph, after.data(), after.size(), to, from, bytes, directionOf(kind));
}

GpuApi::Status HipApi::addFill(Handle& node, Handle graph, std::span<const Handle> after, void* to, std::uint8_t value,
                               std::size_t bytes) const {
  const HipFillNode parameters{.to = to, .elementSize = 1, .height = 1, .pitch = bytes, .value = value, .width = bytes};
  return GraphAddMemsetNode(&node, graph, after.data(), after.size(), &parameters);
}

GpuApi::Status HipApi::addCall(Handle& node, Handle graph, std::span<const Handle> after, const HostCall& call) const {
  const HipHostNode parameters{.function = call.function, .data = call.data};
  return GraphAddHostNode(&node, graph, after.data(), after.size(), &parameters);
}

}  // namespace lathe::detail
