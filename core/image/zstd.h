// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Zstandard (RFC 8878) by the machine's libzstd, which is opened by the first image that is compressed: a program with
// one image in it starts without it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <lathe/result.h>

namespace lathe::detail {

/// Errors: DriverMissing, DriverTooOld (no libzstd); OutOfHostMemory.
[[nodiscard]] Result<std::string> compressed(std::span<const std::byte> bytes, int level);

/// The `size` bytes that `from` holds; nothing: it is damaged, or holds another number of bytes, which is looked at
/// before memory is taken. Errors: DriverMissing, DriverTooOld.
[[nodiscard]] Result<std::optional<std::string>> decompressed(std::span<const std::byte> from, std::uint64_t size);

}  // namespace lathe::detail
