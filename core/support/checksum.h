// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checksum of Lathe's own file formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lathe::detail {

/// CRC-32 (ISO-HDLC, zlib's) of `bytes`, or of what came before and then `bytes`. It guards against accidents, not
/// against somebody who can also rewrite the sum: its generator finds every error that fits in 32 neighbouring bits, so
/// each flipped bit at any length, which of a longer hash is only likely. More than a gigabyte a second, from a library
/// that is on every system.
[[nodiscard]] std::uint32_t checksum(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;

}  // namespace lathe::detail
