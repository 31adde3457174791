// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters in a mapped file, which all processes that have it open add to without locks.
#pragma once

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace lathe::detail {

/// Thread-safe. Without a file all counts are 0 and nothing is counted.
class SharedCounters {
 public:
  static constexpr std::size_t most = 64;

  SharedCounters() = default;
  /// `file`: open to read, and to write if `counting` is set; made long enough then. It can be closed afterwards.
  SharedCounters(int file, bool counting) : counting_(counting) {
    struct stat facts{};
    if (file < 0 || (counting && ::ftruncate(file, bytes) != 0) || ::fstat(file, &facts) != 0 || facts.st_size < bytes)
      return;
    void* const start = ::mmap(nullptr, bytes, PROT_READ | (counting ? PROT_WRITE : 0), MAP_SHARED, file, 0);
    if (start != MAP_FAILED) counts_ = static_cast<std::uint64_t*>(start);
  }
  SharedCounters(SharedCounters&& other) noexcept
      : counts_(std::exchange(other.counts_, nullptr)), counting_(other.counting_) {}
  SharedCounters& operator=(SharedCounters&& other) noexcept {
    std::swap(counts_, other.counts_);
    std::swap(counting_, other.counting_);
    return *this;
  }
  ~SharedCounters() {
    if (counts_) ::munmap(counts_, bytes);
  }

  void add(std::size_t index, std::int64_t by) const {
    if (counts_ && counting_)
      std::atomic_ref(counts_[index]).fetch_add(static_cast<std::uint64_t>(by), std::memory_order_relaxed);
  }
  void set(std::size_t index, std::uint64_t value) const {
    if (counts_ && counting_) std::atomic_ref(counts_[index]).store(value, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t get(std::size_t index) const {
    return counts_ ? std::atomic_ref(counts_[index]).load(std::memory_order_relaxed) : 0;
  }

 private:
  static constexpr off_t bytes = most * sizeof(std::uint64_t);
  std::uint64_t* counts_ = nullptr;
  bool counting_ = false;
};

}  // namespace lathe::detail
