// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running a grid of groups with entries of the group ABI (core/group/entry/group_entry.h), and the memory that takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include <lathe/runtime.h>
#include "core/group/entry/group_entry.h"

#include "runtimes/cpu/group_scheduler.h"
#include "runtimes/cpu/host/host_functions.h"

namespace lathe::detail {

/// A block that only grows, in whole pages, so that it is reused from launch to launch. Contents are lost when it
/// grows.
class GrowingBlock {
 public:
  GrowingBlock() = default;
  GrowingBlock(const GrowingBlock&) = delete;
  GrowingBlock& operator=(const GrowingBlock&) = delete;
  ~GrowingBlock() { release(); }
  /// At least `bytes` at the alignment of a page; null if there is no memory for it, and null if `bytes` is 0.
  [[nodiscard]] std::byte* require(std::size_t bytes) noexcept {
    if (bytes == 0) return nullptr;
    if (bytes <= size_) return data_;
    release();
    const std::size_t rounded = (bytes + page - 1) / page * page;
    if (rounded < bytes) return nullptr;
    data_ = static_cast<std::byte*>(::operator new(rounded, std::align_val_t{page}, std::nothrow));
    if (data_) size_ = rounded;
    return data_;
  }

 private:
  static constexpr std::size_t page = 4096;
  static_assert(page % abi::groupBlockAlign == 0);
  void release() noexcept {
    ::operator delete(std::exchange(data_, nullptr), std::align_val_t{page});
    size_ = 0;
  }
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

struct Grid {
  abi::GroupEntry entry = nullptr;
  const void* parameters = nullptr;
  Extent3 groups;
  Extent3 items;
  std::uint32_t dynamicSharedBytes = 0;
  std::size_t sharedBytes = 0;   ///< of one group, all of it
  std::size_t contextBytes = 0;  ///< of one group, all of it
  bool together = false;         ///< groups may meet, so each has a thread of its own
  bool inSteps = false;          ///< a few groups a call at first, so that one can see them end
};

/// Most groups of a grid that runs `together`.
inline constexpr std::uint64_t mostTogether = 1024;

/// Runs every group, or until one fails: `launch` has the record. `cost` is the kernel's. Allocates only what the
/// threads' blocks must grow, and threads for groups that run together. False if there was no memory for them: then
/// some groups did not run.
[[nodiscard]] bool runGrid(const GroupScheduler& scheduler, Grid grid, GroupCost& cost, HostLaunch& launch);

}  // namespace lathe::detail
