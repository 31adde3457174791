// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that kernels use: of a device, of the host where a device reaches it, or of both. Device::allocate() makes it
// (<lathe/runtime.h>), and Stream::allocate() in the order of a stream (<lathe/runtime/stream.h>).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lathe/export.h>
#include <lathe/result.h>
#include <lathe/runtime/block.h>

namespace lathe {

namespace detail {
class DeviceDriver;
class StreamDriver;
}  // namespace detail

/// The place of memory. On the CPU all kinds are one.
enum class MemoryKind : std::uint8_t {
  device,   ///< the device's; the host copies
  pinned,   ///< the host's, at one address for host and device, never paged out: copies of it overlap with kernels
  managed,  ///< at one address; the driver moves pages to whoever touches them. No host access while a kernel uses it,
            ///< where the device does not take both
  borrowed  ///< somebody else's, of either side (Device::borrow())
};

/// Memory for kernels, untyped. Owned, unless borrowed; freed with the object, which keeps its device open. Move-only.
class LATHE_API Memory {
 public:
  Memory() = default;
  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;
  ~Memory();
  /// The device address; null for 0 bytes; on the CPU a plain pointer, 64-byte aligned or better. Of pinned and managed
  /// memory it is the host's address too.
  [[nodiscard]] void* address() const noexcept { return address_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] MemoryKind kind() const noexcept { return kind_; }
  /// Copies `bytes` bytes to `offset` and waits. Errors: InvalidArgument (range), DeviceFault (an earlier kernel
  /// failed), DriverError.
  [[nodiscard]] Result<void> upload(const void* from, std::size_t bytes, std::size_t offset = 0);
  /// Waits for the kernels before it and copies `bytes` bytes from `offset`. Errors: InvalidArgument (range); of an
  /// earlier kernel DeviceFault, CheckFailed and OutOfHostMemory; DriverError.
  [[nodiscard]] Result<void> download(void* to, std::size_t bytes, std::size_t offset = 0) const;
  /// Copies a block, which lies at `place` here and at `fromPlace` in the host's memory from `from` on, and waits.
  /// Bytes between its rows and slices stay what they are. Errors: as upload(); InvalidArgument (a pitch is too small).
  [[nodiscard]] Result<void> uploadBlock(const BlockPlace& place, const void* from, const BlockPlace& fromPlace,
                                         const BlockSize& size);
  /// Waits for the kernels before it and copies a block to the host. Errors: as download(); InvalidArgument (a pitch is
  /// too small).
  [[nodiscard]] Result<void> downloadBlock(const BlockPlace& place, void* to, const BlockPlace& toPlace,
                                           const BlockSize& size) const;
  /// A part of this memory as an object of its own, which borrows it: this object must outlive the part. Errors:
  /// InvalidArgument (range).
  [[nodiscard]] Result<Memory> part(std::size_t offset, std::size_t bytes) const;
  /// Sets every byte; ordered on the default stream, waits. Errors: DeviceFault (an earlier kernel failed),
  /// DriverError.
  [[nodiscard]] Result<void> fill(std::uint8_t value);

 private:
  friend class Device;
  friend class Stream;
  friend class Graph;
  std::shared_ptr<detail::DeviceDriver> driver_;
  std::shared_ptr<detail::StreamDriver> stream_;  ///< of memory that is freed in a stream's order
  void* address_ = nullptr;
  std::size_t bytes_ = 0;
  MemoryKind kind_ = MemoryKind::device;
};

/// An array of `size()` T in a Memory; owned, as that is. Move-only.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device buffers hold trivially copyable types");

 public:
  using Element = T;
  Buffer() = default;
  explicit Buffer(Memory memory) : memory_(std::move(memory)) {}
  [[nodiscard]] T* data() const noexcept { return static_cast<T*>(memory_.address()); }
  [[nodiscard]] std::size_t size() const noexcept { return memory_.bytes() / sizeof(T); }
  [[nodiscard]] Memory& memory() noexcept { return memory_; }
  [[nodiscard]] const Memory& memory() const noexcept { return memory_; }
  /// The elements for the host to read and write: of pinned and managed memory; empty for the others, on the CPU too.
  [[nodiscard]] std::span<T> onHost() const noexcept {
    const bool is = memory_.kind() == MemoryKind::pinned || memory_.kind() == MemoryKind::managed;
    return is ? std::span<T>(data(), size()) : std::span<T>();
  }
  /// Copies to the elements from `first` on. Errors: as Memory::upload().
  [[nodiscard]] Result<void> upload(std::span<const T> from, std::size_t first = 0) {
    return memory_.upload(from.data(), from.size_bytes(), offsetOf(first));
  }
  /// Copies from the elements from `first` on. Errors: as Memory::download().
  [[nodiscard]] Result<void> download(std::span<T> to, std::size_t first = 0) const {
    return memory_.download(to.data(), to.size_bytes(), offsetOf(first));
  }
  /// The whole buffer as a vector. Errors: as download().
  [[nodiscard]] Result<std::vector<T>> read() const {
    std::vector<T> out(size());
    if (auto done = download(out); !done) return std::move(done).error();
    return out;
  }
  /// Sets every byte to 0. Errors: as Memory::fill().
  [[nodiscard]] Result<void> zero() { return memory_.fill(0); }
  /// The `count` elements from `first` on as a buffer of its own, which borrows them. Errors: as Memory::part().
  [[nodiscard]] Result<Buffer> part(std::size_t first, std::size_t count) const {
    auto memory = memory_.part(offsetOf(first), count <= size() ? count * sizeof(T) : SIZE_MAX);
    if (!memory) return std::move(memory).error();
    return Buffer(*std::move(memory));
  }
  /// The offset in bytes of element `first`. Beyond the end it is one that no buffer has: the product could wrap
  /// around.
  [[nodiscard]] std::size_t offsetOf(std::size_t first) const noexcept {
    return first <= size() ? first * sizeof(T) : SIZE_MAX;
  }

 private:
  Memory memory_;
};

}  // namespace lathe
