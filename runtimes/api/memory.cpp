// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public Memory: checks that hold for every runtime, then one call into it.
#include <lathe/runtime/memory.h>

#include <limits>

#include "runtimes/api/checks.h"
#include "runtimes/common/driver.h"

namespace lathe {

Result<std::size_t> detail::arrayBytes(std::string_view runtime, std::size_t count, std::size_t elementBytes) {
  if (count <= std::numeric_limits<std::size_t>::max() / elementBytes) return count * elementBytes;
  return Error{
      .code = ErrorCode::OutOfDeviceMemory,
      .message = fmt::format("{}: {} elements of {} bytes are more than any device has", runtime, count, elementBytes),
      .target = std::string(runtime)};
}

Memory::Memory(Memory&& other) noexcept {
  *this = std::move(other);
}

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(stream_, other.stream_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  std::swap(kind_, other.kind_);
  return *this;
}

Memory::~Memory() {
  if (!address_ || kind_ == MemoryKind::borrowed) return;
  if (stream_) {
    stream_->free(address_);
  } else if (kind_ == MemoryKind::device) {
    driver_->free(address_);
  } else {
    driver_->freeReached(address_, kind_);
  }
}

Result<void> Memory::upload(const void* from, std::size_t bytes, std::size_t offset) {
  if (auto inside = detail::checkRange(bytes_, bytes, offset); !inside || bytes == 0) return inside;
  return driver_->upload(static_cast<std::byte*>(address_) + offset, from, bytes);
}

Result<void> Memory::download(void* to, std::size_t bytes, std::size_t offset) const {
  if (auto inside = detail::checkRange(bytes_, bytes, offset); !inside || bytes == 0) return inside;
  return driver_->download(to, static_cast<const std::byte*>(address_) + offset, bytes);
}

Result<void> Memory::fill(std::uint8_t value) {
  if (bytes_ == 0) return {};
  return driver_->fill(address_, value, bytes_);
}

}  // namespace lathe
