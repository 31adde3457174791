// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver API: what a launch says beside its extents, and graphs.
#include <array>

#include "runtimes/cuda/cuda_api.h"

namespace lathe::detail {
namespace {

CuKernelNode kernelNode(GpuApi::Handle function, const LaunchOptions& options, const void* const* arguments) {
  const Extent3& grid = options.grid;
  const Extent3& group = options.group;
  // The driver copies the values and does not write to them, whatever its signature says.
  return {function,
          grid.x,
          grid.y,
          grid.z,
          group.x,
          group.y,
          group.z,
          options.dynamicSharedBytes,
          const_cast<void**>(arguments),
          nullptr};
}

}  // namespace

unsigned CudaApi::launchAttributes(std::span<CuLaunchAttribute> out, const LaunchOptions& options) {
  unsigned count = 0;
  if (options.cooperative) out[count++] = {CuLaunchAttribute::Kind::cooperative, {1}};
  if (const Extent3& cluster = options.cluster; cluster != Extent3{})
    out[count++] = {CuLaunchAttribute::Kind::clusterDimension, {cluster.x, cluster.y, cluster.z}};
  return count;
}

GpuApi::Status CudaApi::beginCapture(Handle stream) const {
  return StreamBeginCapture(stream, CuCaptureMode::relaxed);
}

GpuApi::Status CudaApi::addKernel(Handle& node, Handle graph, std::span<const Handle> after, Handle function,
                                  const LaunchOptions& options, const void* const* arguments) const {
  const CuKernelNode parameters = kernelNode(function, options, arguments);
  CuResult status = GraphAddKernelNode(&node, graph, after.data(), after.size(), &parameters);
  std::array<CuLaunchAttribute, 2> attributes;
  const unsigned count = launchAttributes(attributes, options);
  for (unsigned i = 0; i < count && status == 0; ++i)
    status = GraphKernelNodeSetAttribute(node, attributes[i].kind, attributes[i].value);
  return status;
}

GpuApi::Status CudaApi::updateKernel(Handle run, Handle node, Handle function, const LaunchOptions& options,
                                     const void* const* arguments) const {
  const CuKernelNode parameters = kernelNode(function, options, arguments);
  return GraphExecKernelNodeSetParams(run, node, &parameters);
}

GpuApi::Status CudaApi::addCopy(Handle& node, Handle graph, std::span<const Handle> after, void* to, const void* from,
                                std::size_t bytes, CopyKind kind) const {
  constexpr int host = 1, device = 2, either = 4;
  CuCopy3D copy;
  copy.widthBytes = bytes;
  copy.from = {.memoryType = kind == CopyKind::upload     ? host
                             : kind == CopyKind::download ? device
                                                          : either,
               .host = from,
               .device = toDevice(from)};
  copy.to = {.memoryType = kind == CopyKind::download ? host
                           : kind == CopyKind::upload ? device
                                                      : either,
             .host = to,
             .device = toDevice(to)};
  CuContext context = nullptr;
  const CuResult status = CtxGetCurrent(&context);
  return status == 0 ? GraphAddMemcpyNode(&node, graph, after.data(), after.size(), &copy, context) : status;
}

GpuApi::Status CudaApi::addFill(Handle& node, Handle graph, std::span<const Handle> after, void* to, std::uint8_t value,
                                std::size_t bytes) const {
  const CuMemsetNode set{toDevice(to), 0, value, 1, bytes, 1};
  CuContext context = nullptr;
  const CuResult status = CtxGetCurrent(&context);
  return status == 0 ? GraphAddMemsetNode(&node, graph, after.data(), after.size(), &set, context) : status;
}

GpuApi::Status CudaApi::addCall(Handle& node, Handle graph, std::span<const Handle> after, const HostCall& call) const {
  const CuHostNode parameters{call.function, call.data};
  return GraphAddHostNode(&node, graph, after.data(), after.size(), &parameters);
}

}  // namespace lathe::detail
