// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libpng's simplified interface: it keeps setjmp to itself and writes to memory.
#include "tools/lathe/output/png_image.h"

#include <cassert>

#include <png.h>

#include <fmt/format.h>

namespace lathe::tool {

Result<std::string> pngBytes(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgb) {
  assert(rgb.size() == std::size_t{width} * height * 3);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string out(size, '\0');
  if (!png_image_write_to_memory(&image, out.data(), &size, 0, rgb.data(), 0, nullptr))
    return Error{ErrorCode::Internal, fmt::format("png: {}", image.message)};
  out.resize(size);
  return out;
}

}  // namespace lathe::tool
