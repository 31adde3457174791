// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public arrays and texture objects: checks that hold for every runtime, then one call into it.
#include <lathe/runtime/texture.h>

#include <algorithm>
#include <bit>

#include <lathe/runtime.h>

#include "runtimes/api/checks.h"
#include "runtimes/common/driver.h"
#include "runtimes/common/textures.h"

namespace lathe {
namespace {

using detail::invalidArgument;

Result<void> checkFormat(const TexelFormat& format) {
  const bool hasBits = format.bits == 16 || format.bits == 32 || (format.bits == 8 && format.kind != TexelKind::real);
  const bool hasChannels = format.channels == 1 || format.channels == 2 || format.channels == 4;
  if (hasBits && hasChannels) return {};
  return invalidArgument(
      fmt::format("texels: there are none of {} channels with {} bits{}; channels are 1, 2 or 4, of "
                  "8, 16 or 32 bits, real ones of 16 or 32",
                  format.channels, format.bits, format.kind == TexelKind::real ? " (real)" : ""));
}

Result<void> checkShape(const ArrayShape& shape) {
  if (auto format = checkFormat(shape.format); !format) return format;
  constexpr std::uint32_t mostTexels = 1u << 18;  // more than any device's arrays; keeps products within 64 bits
  const std::uint32_t longest = std::max({shape.width, shape.height, shape.depth});
  if (shape.width == 0) return invalidArgument("array: its width is 0");
  if (std::max(longest, shape.layers) > mostTexels)
    return invalidArgument(
        fmt::format("array: {} texels in one direction are more than any device has", std::max(longest, shape.layers)));
  if (shape.depth != 0 && shape.height == 0) return invalidArgument("array: it has a depth, and no height");
  if (shape.depth != 0 && (shape.layers != 0 || shape.cube))
    return invalidArgument("array: it has a depth, so it has no layers and no faces");
  if (shape.cube && shape.height != shape.width)
    return invalidArgument(
        fmt::format("array: the faces of a cube are squares, not {} by {}", shape.width, shape.height));
  const auto mostLevels = static_cast<std::uint32_t>(std::bit_width(longest));
  if (shape.levels < 1 || shape.levels > mostLevels)
    return invalidArgument(
        fmt::format("array: it cannot have {} levels; {} texels have {} at most, of which the last "
                    "has one",
                    shape.levels, longest, mostLevels));
  return {};
}

Result<void> checkSampling(const TexelFormat& format, const Sampling& sampling) {
  const bool isReal = format.kind == TexelKind::real;
  if (sampling.fractions && (isReal || format.bits == 32))
    return invalidArgument("texture: only integers of 8 and 16 bits are read as fractions");
  if (sampling.linear && !isReal && !sampling.fractions) {
    Error error = invalidArgument("texture: integers are not mixed");
    error.hint = "set Sampling::fractions, or leave Sampling::linear";
    return error;
  }
  return {};
}

Result<void> checkImage(const PlainImage& image, std::size_t bytes) {
  if (auto format = checkFormat(image.format); !format) return format;
  if (image.width == 0) return invalidArgument("texture: its width is 0");
  const std::size_t rowBytes = image.width * image.format.bytes();
  if (image.pitch < rowBytes)
    return invalidArgument(
        fmt::format("texture: rows of {} bytes do not fit into a pitch of {}", rowBytes, image.pitch));
  if (image.pitch > UINT32_MAX)
    return invalidArgument(fmt::format("texture: a pitch of {} bytes is more than any device has", image.pitch));
  const std::size_t before = std::max(image.height, 1u) - 1;
  if (rowBytes > bytes || (before != 0 && image.pitch > (bytes - rowBytes) / before))
    return invalidArgument(fmt::format("texture: {} rows of {} bytes, {} apart, do not lie within memory of {} bytes",
                                       before + 1, rowBytes, image.pitch, bytes));
  return {};
}

/// Errors: InvalidArgument, of an array that is another device's, or empty.
Result<void> checkOwner(const std::shared_ptr<detail::TexelArrayDriver>& array, const detail::DeviceDriver& device) {
  if (array && &array->device() == &device) return {};
  return invalidArgument(array ? "texture: the array is another device's" : "texture: the array was moved from");
}

/// Errors: InvalidArgument, unless `bytes` are what the level has.
Result<void> checkLevel(const TexelArray& array, std::size_t bytes, std::uint32_t level) {
  const std::size_t wanted = array.levelBytes(level);
  if (wanted == 0)
    return invalidArgument(fmt::format("array: it has {} levels, and no level {}", array.shape().levels, level));
  if (bytes == wanted) return {};
  return invalidArgument(fmt::format("array: level {} has {} bytes, and {} were given", level, wanted, bytes));
}

}  // namespace

const ArrayShape& TexelArray::shape() const noexcept {
  static constexpr ArrayShape nothing{.format = {}, .width = 0, .levels = 0};  // of an array that was moved from
  return array_ ? array_->shape() : nothing;
}

std::size_t TexelArray::levelBytes(std::uint32_t level) const noexcept {
  return level < shape().levels ? detail::levelBytes(shape(), level) : 0;
}

Result<void> TexelArray::uploadBytes(std::span<const std::byte> from, std::uint32_t level) {
  if (auto fits = checkLevel(*this, from.size(), level); !fits) return fits;
  return array_->upload(from, level);
}

Result<void> TexelArray::downloadBytes(std::span<std::byte> to, std::uint32_t level) const {
  if (auto fits = checkLevel(*this, to.size(), level); !fits) return fits;
  return array_->download(to, level);
}

unsigned long long TextureObject::handle() const noexcept {
  return object_ ? object_->handle() : 0;
}

Result<TexelArray> Device::createArray(const ArrayShape& shape) const {
  if (auto valid = checkShape(shape); !valid) return std::move(valid).error();
  auto array = driver_->createArray(shape);
  if (!array) return std::move(array).error();
  TexelArray out;
  out.array_ = *std::move(array);
  return out;
}

Result<TextureObject> Device::createTexture(const TexelArray& array, const Sampling& sampling) const {
  if (auto own = checkOwner(array.array_, *driver_); !own) return std::move(own).error();
  if (auto valid = checkSampling(array.shape().format, sampling); !valid) return std::move(valid).error();
  if (array.shape().levels > 1 && !sampling.normalized)
    return invalidArgument("texture: an array with levels of detail is read with normalised coordinates");
  auto object = driver_->createTexture(array.array_, sampling);
  if (!object) return std::move(object).error();
  TextureObject out;
  out.object_ = *std::move(object);
  return out;
}

Result<TextureObject> Device::createTexture(const Memory& memory, const PlainImage& image,
                                            const Sampling& sampling) const {
  PlainImage whole = image;
  if (whole.pitch == 0) whole.pitch = image.width * image.format.bytes();
  if (auto valid = checkImage(whole, memory.bytes()); !valid) return std::move(valid).error();
  if (auto valid = checkSampling(image.format, sampling); !valid) return std::move(valid).error();
  auto object = driver_->createTexture(memory.address(), whole, sampling);
  if (!object) return std::move(object).error();
  TextureObject out;
  out.object_ = *std::move(object);
  return out;
}

Result<TextureObject> Device::createSurface(const TexelArray& array, std::uint32_t level) const {
  if (auto own = checkOwner(array.array_, *driver_); !own) return std::move(own).error();
  if (!array.shape().surface) {
    Error error = invalidArgument("surface: the array was not made for being written");
    error.hint = "set ArrayShape::surface";
    return error;
  }
  if (array.levelBytes(level) == 0)
    return invalidArgument(
        fmt::format("surface: the array has {} levels, and no level {}", array.shape().levels, level));
  auto object = driver_->createSurface(array.array_, level);
  if (!object) return std::move(object).error();
  TextureObject out;
  out.object_ = *std::move(object);
  return out;
}

}  // namespace lathe
