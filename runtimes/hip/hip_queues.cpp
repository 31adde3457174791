// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The HIP runtime API: queues, kinds of memory, several devices, and limits.
#include "runtimes/common/gpu/gpu_library.h"
#include "runtimes/hip/hip_api.h"

namespace lathe::detail {

GpuApi::Status HipApi::copyOn(void* to, const void* from, std::size_t bytes, CopyKind kind, Handle stream) const {
  if (!queues()) return unsupported;
  auto* const source = const_cast<void*>(from);
  switch (kind) {
    case CopyKind::upload:
      return MemcpyHtoDAsync(to, source, bytes, stream);
    case CopyKind::download:
      return MemcpyDtoHAsync(to, source, bytes, stream);
    case CopyKind::within:
      break;
  }
  return MemcpyDtoDAsync(to, source, bytes, stream);
}

GpuApi::Status HipApi::copyBlockOn(const BlockCopy& block, CopyKind kind, Handle stream) const {
  if (!Memcpy2DAsync) return unsupported;
  const HipCopy direction = directionOf(kind);
  return eachSlice(block, [&](const BlockCopy& slice) {
    return Memcpy2DAsync(slice.to, slice.toPitch.row, slice.from, slice.fromPitch.row, slice.rowBytes, slice.rows,
                         direction, stream);
  });
}

GpuApi::Status HipApi::isDone(bool& out, Handle stream) const {
  const HipError status = StreamQuery(stream);
  out = status == 0;
  return status == HipStatus::notReady ? 0 : status;
}

GpuApi::Status HipApi::allocateManaged(void*& out, std::size_t bytes) const {
  if (!MallocManaged) return unsupported;
  const HipError status = MallocManaged(&out, bytes, attachedToAll);
  return status == HipStatus::notSupported ? unsupported : status;
}

bool HipApi::hasPools(int device) const noexcept {
  int has = 0;
  return MallocAsync && FreeAsync && DeviceGetAttribute(&has, HipDeviceAttribute::memoryPools, device) == 0 && has != 0;
}

GpuApi::Status HipApi::canReach(bool& out, int device, int other) const {
  if (!DeviceCanAccessPeer || !DeviceEnablePeerAccess) return unsupported;
  int can = 0;
  const HipError status = DeviceCanAccessPeer(&can, device, other);
  out = can != 0;
  return status;
}

GpuApi::Status HipApi::reach(int other, Handle) const {
  const HipError status = DeviceEnablePeerAccess(other, 0);
  return status == HipStatus::peerAccessAlreadyEnabled ? 0 : status;
}

GpuApi::Status HipApi::groupsAtOnce(int& groups, Handle function, std::uint32_t items, std::size_t sharedBytes) const {
  if (!ModuleOccupancyMaxActiveBlocksPerMultiprocessor) return unsupported;
  return ModuleOccupancyMaxActiveBlocksPerMultiprocessor(&groups, function, static_cast<int>(items), sharedBytes);
}

GpuApi::Status HipApi::limit(std::size_t& out, DeviceLimit which) const {
  const HipError status = DeviceGetLimit ? DeviceGetLimit(&out, numberOfLimit(which)) : unsupported;
  return status == HipStatus::notSupported ? unsupported : status;
}

GpuApi::Status HipApi::setLimit(DeviceLimit which, std::size_t bytes) const {
  const HipError status = DeviceSetLimit ? DeviceSetLimit(numberOfLimit(which), bytes) : unsupported;
  return status == HipStatus::notSupported ? unsupported : status;
}

}  // namespace lathe::detail
