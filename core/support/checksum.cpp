// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CRC-32 by zlib.
#include "core/support/checksum.h"

#include <zlib.h>

namespace lathe::detail {

std::uint32_t checksum(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  return static_cast<std::uint32_t>(::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace lathe::detail
