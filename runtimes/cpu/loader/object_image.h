// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object that Lathe compiled for a host, as an image: what is in it is told by a section of its own.
#pragma once

#include <span>

#include <lathe/image.h>

namespace lathe::detail {

/// The object in `bytes` with the description in it. Errors: those of Image::fromBytes(), and ImageCorrupt.
[[nodiscard]] Result<Image> imageOfObject(std::span<const std::byte> bytes);

}  // namespace lathe::detail
