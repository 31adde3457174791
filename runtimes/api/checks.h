// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that the public classes share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <lathe/result.h>
#include <lathe/runtime/block.h>

#include "runtimes/common/block_copy.h"

namespace lathe::detail {

inline Error invalidArgument(std::string message) {
  return {.code = ErrorCode::InvalidArgument, .message = std::move(message)};
}

/// Errors: InvalidArgument, if the range does not lie within memory of `have` bytes.
inline Result<void> checkRange(std::size_t have, std::size_t bytes, std::size_t offset) {
  if (offset <= have && bytes <= have - offset) return {};
  return invalidArgument(
      fmt::format("memory: {} bytes at offset {} do not lie within its {} bytes", bytes, offset, have));
}

/// Memory that a block lies in: of the host, whose size nobody knows, SIZE_MAX bytes.
struct BlockMemory {
  const void* address;
  std::size_t bytes;
};

/// The copy of a block between two memories; of no rows if the size has none. Errors: InvalidArgument, if a pitch is
/// too small or a block does not lie within its memory.
Result<BlockCopy> checkedCopy(const BlockMemory& to, const BlockPlace& toPlace, const BlockMemory& from,
                              const BlockPlace& fromPlace, const BlockSize& size);

/// The bytes of an array. Errors: OutOfDeviceMemory, if no address space has as many.
Result<std::size_t> arrayBytes(std::string_view runtime, std::size_t count, std::size_t elementBytes);

}  // namespace lathe::detail
