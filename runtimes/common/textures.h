// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays, textures and surfaces behind <lathe/runtime/texture.h>, and those of devices whose kernels compute what
// hardware for textures would read: an array is plain memory of the device, an object a lathe::Texture there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <lathe/runtime/memory.h>
#include <lathe/runtime/texture.h>

namespace lathe::detail {

class DeviceDriver;

/// The extent of a level in texels, with faces and layers as slices. Every number is at least 1.
struct LevelExtent {
  std::uint32_t width = 1, height = 1, slices = 1;
  [[nodiscard]] std::size_t rows() const noexcept { return std::size_t{height} * slices; }
};
[[nodiscard]] LevelExtent levelExtent(const ArrayShape& shape, std::uint32_t level) noexcept;
[[nodiscard]] std::size_t levelBytes(const ArrayShape& shape, std::uint32_t level) noexcept;

/// Texels on a device, which it keeps. `shape` has been checked, and so are levels and numbers of bytes.
class TexelArrayDriver {
 public:
  explicit TexelArrayDriver(const ArrayShape& shape) : shape_(shape) {}
  virtual ~TexelArrayDriver() = default;
  [[nodiscard]] const ArrayShape& shape() const noexcept { return shape_; }
  [[nodiscard]] virtual const DeviceDriver& device() const noexcept = 0;
  virtual Result<void> upload(std::span<const std::byte> from, std::uint32_t level) = 0;
  virtual Result<void> download(std::span<std::byte> to, std::uint32_t level) const = 0;

 private:
  ArrayShape shape_;
};

/// A texture or surface object, which keeps what it reads if that is an array.
class TextureDriver {
 public:
  explicit TextureDriver(std::shared_ptr<TexelArrayDriver> array) : array_(std::move(array)) {}
  virtual ~TextureDriver() = default;
  [[nodiscard]] virtual unsigned long long handle() const noexcept = 0;

 private:
  std::shared_ptr<TexelArrayDriver> array_;
};

using ArrayResult = Result<std::shared_ptr<TexelArrayDriver>>;
using TextureResult = Result<std::shared_ptr<TextureDriver>>;

/// In plain memory of `device`. The array of the other functions is of plainArray().
[[nodiscard]] ArrayResult plainArray(DeviceDriver& device, const ArrayShape& shape);
[[nodiscard]] TextureResult plainTexture(std::shared_ptr<TexelArrayDriver> array, const Sampling& sampling);
[[nodiscard]] TextureResult plainTexture(DeviceDriver& device, void* address, const PlainImage& image,
                                         const Sampling& sampling);
[[nodiscard]] TextureResult plainSurface(std::shared_ptr<TexelArrayDriver> array, std::uint32_t level);

}  // namespace lathe::detail
