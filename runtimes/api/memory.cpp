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

Result<void> Memory::uploadBlock(const BlockPlace& place, const void* from, const BlockPlace& fromPlace,
                                 const BlockSize& size) {
  auto block = detail::checkedCopy({address_, bytes_}, place, {from, SIZE_MAX}, fromPlace, size);
  if (!block) return std::move(block).error();
  return block->rowBytes == 0 ? Result<void>() : driver_->copyBlock(*block, detail::CopyKind::upload);
}

Result<void> Memory::downloadBlock(const BlockPlace& place, void* to, const BlockPlace& toPlace,
                                   const BlockSize& size) const {
  auto block = detail::checkedCopy({to, SIZE_MAX}, toPlace, {address_, bytes_}, place, size);
  if (!block) return std::move(block).error();
  return block->rowBytes == 0 ? Result<void>() : driver_->copyBlock(*block, detail::CopyKind::download);
}

Result<Memory> Memory::part(std::size_t offset, std::size_t bytes) const {
  if (auto inside = detail::checkRange(bytes_, bytes, offset); !inside) return std::move(inside).error();
  Memory out;
  out.driver_ = driver_;
  out.kind_ = MemoryKind::borrowed;
  if (bytes == 0) return out;
  out.address_ = static_cast<std::byte*>(address_) + offset;
  out.bytes_ = bytes;
  return out;
}

Result<void> Memory::fill(std::uint8_t value) {
  if (bytes_ == 0) return {};
  return driver_->fill(address_, value, bytes_);
}

}  // namespace lathe
