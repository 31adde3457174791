// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver API: queues, kinds of memory, several devices, and limits.
#include <algorithm>
#include <climits>

#include "runtimes/common/gpu/gpu_library.h"
#include "runtimes/cuda/cuda_api.h"

namespace lathe::detail {

GpuApi::Status CudaApi::createStream(Handle& out, int priority) const {
  // The driver takes the nearest priority that it has.
  if (priority != 0 && StreamCreateWithPriority) return StreamCreateWithPriority(&out, 0, priority);
  return StreamCreate(&out, 0);
}

GpuApi::Status CudaApi::copyOn(void* to, const void* from, std::size_t bytes, CopyKind kind, Handle stream) const {
  switch (kind) {
    case CopyKind::upload:
      return MemcpyHtoDAsync(toDevice(to), from, bytes, stream);
    case CopyKind::download:
      return MemcpyDtoHAsync(to, toDevice(from), bytes, stream);
    case CopyKind::within:
      break;
  }
  return MemcpyAsync(toDevice(to), toDevice(from), bytes, stream);
}

GpuApi::Status CudaApi::copyBlockOn(const BlockCopy& block, CopyKind kind, Handle stream) const {
  constexpr int host = 1, unified = 4;           // CU_MEMORYTYPE_…; unified: addresses of any device
  constexpr std::size_t largestPitch = INT_MAX;  // CU_DEVICE_ATTRIBUTE_MAX_PITCH of every GPU
  if (!Memcpy3DAsync || std::max(block.toPitch.row, block.fromPitch.row) > largestPitch) return unsupported;
  const auto side = [](const void* address, const BlockCopy::Pitch& pitch, bool isHost) {
    CuCopy3D::Side out;
    out.memoryType = isHost ? host : unified;
    if (isHost) {
      out.host = address;
    } else {
      out.device = toDevice(address);
    }
    out.pitch = pitch.row;
    out.height = pitch.slice / pitch.row;
    return out;
  };
  return eachRegular(block, [&](const BlockCopy& part) {
    CuCopy3D copy;
    copy.from = side(part.from, part.fromPitch, kind == CopyKind::upload);
    copy.to = side(part.to, part.toPitch, kind == CopyKind::download);
    copy.widthBytes = part.rowBytes;
    copy.height = part.rows;
    copy.depth = part.slices;
    return Memcpy3DAsync(&copy, stream);
  });
}

GpuApi::Status CudaApi::isDone(bool& out, Handle stream) const {
  constexpr CuResult notReady = 600;  // CUDA_ERROR_NOT_READY
  const CuResult status = StreamQuery(stream);
  out = status == 0;
  return status == notReady ? 0 : status;
}

GpuApi::Status CudaApi::copyWithin(void* to, const void* from, std::size_t bytes) const {
  if (!MemcpyAsync) return unsupported;
  const CuResult status = MemcpyAsync(toDevice(to), toDevice(from), bytes, nullptr);
  return status == 0 ? StreamSynchronize(nullptr) : status;
}

GpuApi::Status CudaApi::allocateManaged(void*& out, std::size_t bytes) const {
  constexpr unsigned attachedToAll = 1;  // CU_MEM_ATTACH_GLOBAL
  if (!MemAllocManaged) return unsupported;
  CuDevicePointer address = 0;
  const CuResult status = MemAllocManaged(&address, bytes, attachedToAll);
  out = reinterpret_cast<void*>(address);
  constexpr CuResult notSupported = 801;  // CUDA_ERROR_NOT_SUPPORTED
  return status == notSupported ? unsupported : status;
}

bool CudaApi::hasPools(int index) const noexcept {
  CuDevice device = 0;
  int has = 0;
  return MemAllocAsync && MemFreeAsync && DeviceGet(&device, index) == 0 &&
         DeviceGetAttribute(&has, CuDeviceAttribute::memoryPools, device) == 0 && has != 0;
}

GpuApi::Status CudaApi::allocateOn(void*& out, std::size_t bytes, Handle stream) const {
  CuDevicePointer address = 0;
  const CuResult status = MemAllocAsync(&address, bytes, stream);
  out = reinterpret_cast<void*>(address);
  return status;
}

GpuApi::Status CudaApi::canReach(bool& out, int device, int other) const {
  if (!DeviceCanAccessPeer || !CtxEnablePeerAccess) return unsupported;
  CuDevice one = 0, two = 0;
  int can = 0;
  CuResult status = DeviceGet(&one, device);
  if (status == 0) status = DeviceGet(&two, other);
  if (status == 0) status = DeviceCanAccessPeer(&can, one, two);
  out = can != 0;
  return status;
}

GpuApi::Status CudaApi::reach(int, Handle otherContext) const {
  constexpr CuResult already = 704;  // CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
  const CuResult status = CtxEnablePeerAccess(otherContext, 0);
  return status == already ? 0 : status;
}

GpuApi::Status CudaApi::groupsAtOnce(int& groups, Handle function, std::uint32_t items, std::size_t sharedBytes) const {
  if (!OccupancyMaxActiveBlocks) return unsupported;
  return OccupancyMaxActiveBlocks(&groups, function, static_cast<int>(items), sharedBytes);
}

GpuApi::Status CudaApi::limit(std::size_t& out, DeviceLimit which) const {
  return CtxGetLimit ? CtxGetLimit(&out, numberOfLimit(which)) : unsupported;
}

GpuApi::Status CudaApi::setLimit(DeviceLimit which, std::size_t bytes) const {
  return CtxSetLimit ? CtxSetLimit(numberOfLimit(which), bytes) : unsupported;
}

}  // namespace lathe::detail
