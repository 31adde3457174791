// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures as PNG files.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <lathe/result.h>

namespace lathe::tool {

/// The bytes of a PNG file: 8-bit RGB, rows from the top. `rgb` has width * height * 3 values. Errors: Internal.
[[nodiscard]] Result<std::string> pngBytes(std::uint32_t width, std::uint32_t height,
                                           std::span<const std::uint8_t> rgb);

}  // namespace lathe::tool
