// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rectangular copies. OpenCL has them between buffer objects, and between one and the host, but not for shared virtual
// memory. A buffer object over an allocation of that (clCreateBuffer with CL_MEM_USE_HOST_PTR, "the buffer uses the SVM
// pointer") is the same memory, and lives for the one copy.
#include <array>

#include "runtimes/common/gpu/gpu_api.h"
#include "runtimes/opencl/opencl_context.h"

namespace lathe::detail {
namespace {

class OwnedBuffer {
 public:
  OwnedBuffer(const ClFunctions& cl, ClBuffer buffer) : cl_(cl), buffer_(buffer) {}
  OwnedBuffer(const OwnedBuffer&) = delete;
  OwnedBuffer& operator=(const OwnedBuffer&) = delete;
  // What is queued keeps its own reference.
  ~OwnedBuffer() {
    if (buffer_) (void)cl_.ReleaseMemObject(buffer_);
  }
  [[nodiscard]] ClBuffer get() const noexcept { return buffer_; }

 private:
  const ClFunctions& cl_;
  ClBuffer buffer_;
};

/// The byte `offset` as x, y and z of a buffer with these pitches.
std::array<std::size_t, 3> originOf(std::size_t offset, const BlockCopy::Pitch& pitch) {
  return {offset % pitch.slice % pitch.row, offset % pitch.slice / pitch.row, offset / pitch.slice};
}

}  // namespace

ClStatus OpenClContext::copyBlock(const BlockCopy& block, CopyKind kind, OpenClQueue* queue) {
  using Memory = std::pair<const std::byte*, std::size_t>;
  const Memory to = kind == CopyKind::download ? Memory() : memoryOf(block.to);
  const Memory from = kind == CopyKind::upload ? Memory() : memoryOf(block.from);
  if ((kind != CopyKind::download && !to.first) || (kind != CopyKind::upload && !from.first))
    return GpuApi::unsupported;
  ClStatus status = 0;
  const auto bufferOf = [&](const Memory& memory) {
    if (!memory.first || status != 0) return OwnedBuffer(cl_, nullptr);
    constexpr std::uint64_t flags = ClMemory::readWrite | ClMemory::useHostPointer;
    const ClBuffer buffer =
        cl_.CreateBuffer(context_, flags, memory.second, const_cast<std::byte*>(memory.first), &status);
    return OwnedBuffer(cl_, status == 0 ? buffer : nullptr);
  };
  const OwnedBuffer target = bufferOf(to);
  // Both sides in one allocation are one buffer, so that the driver can tell if they overlap.
  const OwnedBuffer other = bufferOf(from == to ? Memory() : from);
  if (status != 0) return status;
  const ClBuffer source = from == to ? target.get() : other.get();

  const auto originIn = [](const Memory& memory, const void* address, const BlockCopy::Pitch& pitch) {
    return originOf(static_cast<std::size_t>(static_cast<const std::byte*>(address) - memory.first), pitch);
  };
  const std::array<std::size_t, 3> region = {block.rowBytes, block.rows, block.slices};
  constexpr std::array<std::size_t, 3> none = {};
  const BlockCopy::Pitch &in = block.toPitch, &out = block.fromPitch;
  const ClStatus queued = enqueue(queue, [&](ClQueue on) {
    switch (kind) {
      case CopyKind::upload:
        return cl_.EnqueueWriteBufferRect(on, target.get(), /*blocking=*/0,
                                          originIn(to, block.to, block.toPitch).data(), none.data(), region.data(),
                                          in.row, in.slice, out.row, out.slice, block.from, 0, nullptr, nullptr);
      case CopyKind::download:
        return cl_.EnqueueReadBufferRect(on, source, /*blocking=*/0, originIn(from, block.from, block.fromPitch).data(),
                                         none.data(), region.data(), out.row, out.slice, in.row, in.slice, block.to, 0,
                                         nullptr, nullptr);
      case CopyKind::within:
        break;
    }
    return cl_.EnqueueCopyBufferRect(on, source, target.get(), originIn(from, block.from, block.fromPitch).data(),
                                     originIn(to, block.to, block.toPitch).data(), region.data(), out.row, out.slice,
                                     in.row, in.slice, 0, nullptr, nullptr);
  });
  // NVIDIA's library wants a whole pitch behind the last row too; rows by themselves are copied everywhere.
  return queued == ClError::invalidValue ? GpuApi::unsupported : queued;
}

}  // namespace lathe::detail
