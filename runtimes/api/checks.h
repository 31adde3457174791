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

/// The bytes of an array. Errors: OutOfDeviceMemory, if no address space has as many.
Result<std::size_t> arrayBytes(std::string_view runtime, std::size_t count, std::size_t elementBytes);

}  // namespace lathe::detail
