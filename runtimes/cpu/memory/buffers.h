// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that a device gave out: what an access of a checked kernel is held against.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <shared_mutex>

namespace lathe::detail {

/// From `first` up to, not including, `last`.
struct MemoryRange {
  std::uintptr_t first = 0;
  std::uintptr_t last = 0;
  [[nodiscard]] bool contains(std::uintptr_t address) const noexcept { return address >= first && address < last; }
  [[nodiscard]] bool contains(std::uintptr_t address, std::uint64_t bytes) const noexcept {
    return address >= first && address <= last && bytes <= last - address;
  }
};

/// Safe from any thread.
class DeviceBuffers {
 public:
  /// False without memory to remember it.
  [[nodiscard]] bool add(void* address, std::size_t bytes) noexcept {
    try {
      const std::scoped_lock lock(mutex_);
      bytes_[reinterpret_cast<std::uintptr_t>(address)] = bytes;
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
  void remove(void* address) noexcept {
    const std::scoped_lock lock(mutex_);
    bytes_.erase(reinterpret_cast<std::uintptr_t>(address));
  }
  /// The buffer that `address` lies in, or at whose end it is. Between two buffers there is always a gap.
  [[nodiscard]] std::optional<MemoryRange> find(std::uintptr_t address) const {
    const std::shared_lock lock(mutex_);
    auto next = bytes_.upper_bound(address);
    if (next == bytes_.begin()) return std::nullopt;
    const auto& [first, bytes] = *--next;
    if (address - first > bytes) return std::nullopt;
    return MemoryRange{first, first + bytes};
  }

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::uintptr_t, std::size_t> bytes_;
};

}  // namespace lathe::detail
