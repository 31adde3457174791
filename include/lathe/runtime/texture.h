// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of texels, and the texture and surface objects by which kernels read and write them:
//
//   auto array   = device->createArray({.format = lathe::TexelFormat::of<float>(), .width = 640, .height = 480});
//   auto copied  = array->upload(std::span<const float>(pixels));
//   auto texture = device->createTexture(*array, {.linear = true});
//   auto queued  = (*kernel)(lathe::ForItems{n}, out->data(), texture->handle());
//
// On NVIDIA GPUs an object is the driver's, and the hardware reads and filters. Elsewhere it is the address of one
// lathe::Texture for each level (<lathe/device/texture.h>), and kernels compute the same. Objects, arrays and memory
// may be used by any number of threads at once, as long as none moves or assigns them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include <lathe/device/texture.h>
#include <lathe/export.h>
#include <lathe/result.h>

namespace lathe {

namespace detail {
class TexelArrayDriver;
class TextureDriver;
}  // namespace detail

/// The numbers that a texel consists of.
struct TexelFormat {
  TexelKind kind = TexelKind::real;
  std::uint8_t bits = 32;     ///< of a channel: 8, 16 or 32; real ones have 16 or 32
  std::uint8_t channels = 1;  ///< 1, 2 or 4
  /// The format of texels that are `channels` numbers of type T each.
  template <class T>
  [[nodiscard]] static constexpr TexelFormat of(std::uint8_t channels = 1) noexcept {
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 4, "texels are numbers of 8, 16 or 32 bits");
    return {std::is_floating_point_v<T> ? TexelKind::real
            : std::is_signed_v<T>       ? TexelKind::signedInteger
                                        : TexelKind::unsignedInteger,
            static_cast<std::uint8_t>(8 * sizeof(T)), channels};
  }
  /// Bytes of one texel.
  [[nodiscard]] constexpr std::size_t bytes() const noexcept { return bits / 8u * channels; }
  bool operator==(const TexelFormat&) const = default;
};

/// The shape of an array, in texels.
struct ArrayShape {
  TexelFormat format;
  std::uint32_t width = 1;
  std::uint32_t height = 0;  ///< 0: of one dimension
  std::uint32_t depth = 0;   ///< 0: of one or two dimensions
  std::uint32_t layers = 0;  ///< images of one or two dimensions, one behind the other; 0: the array is not layered
  bool cube = false;         ///< six square images, the faces +x, -x, +y, -y, +z, -z, of each layer or alone
  std::uint32_t levels = 1;  ///< of detail (mipmap): each half as wide, high and deep as the one before, never below 1
  bool surface = false;      ///< kernels may write it, by Device::createSurface()
};

/// What a read does with its coordinates and with the texels there.
struct Sampling {
  bool linear = false;      ///< mixes the texels around the place; only for reads as real numbers
  bool normalized = false;  ///< coordinates go from 0 to 1; wrap, mirror and levels need it
  std::array<TextureAddress, 3> address = {TextureAddress::clamp, TextureAddress::clamp, TextureAddress::clamp};
  std::array<float, 4> border = {};  ///< what is outside, where `address` is border
  bool fractions = false;            ///< integers are read as real numbers from 0 or -1 to 1
  bool linearLevels = false;         ///< mixes the two nearest levels; else the nearest is read
  float levelBias = 0, minLevel = 0, maxLevel = 16;
};

/// Texels in a layout of the device's choice. Owned; what is made of it keeps it. Move-only.
class LATHE_API TexelArray {
 public:
  [[nodiscard]] const ArrayShape& shape() const noexcept;
  /// Bytes of all texels of a level, rows, slices, faces and layers one behind the other without gaps; 0: there is no
  /// such level.
  [[nodiscard]] std::size_t levelBytes(std::uint32_t level = 0) const noexcept;
  /// Copies all texels of a level and waits. Errors: InvalidArgument (another number of bytes, no such level),
  /// DeviceFault (an earlier kernel failed), DriverError.
  [[nodiscard]] Result<void> uploadBytes(std::span<const std::byte> from, std::uint32_t level = 0);
  /// Waits for the kernels before it, and copies. Errors: as uploadBytes().
  [[nodiscard]] Result<void> downloadBytes(std::span<std::byte> to, std::uint32_t level = 0) const;
  /// The same of typed texels, or of their channels. Errors: as uploadBytes().
  template <class T>
  [[nodiscard]] Result<void> upload(std::span<const T> from, std::uint32_t level = 0) {
    return uploadBytes(std::as_bytes(from), level);
  }
  template <class T>
  [[nodiscard]] Result<void> download(std::span<T> to, std::uint32_t level = 0) const {
    return downloadBytes(std::as_writable_bytes(to), level);
  }

 private:
  friend class Device;
  std::shared_ptr<detail::TexelArrayDriver> array_;
};

/// An image in plain device memory, read as a texture. `pitch` is in bytes; the device demands a multiple of its own
/// (NVIDIA's 32), and has an error for others.
struct PlainImage {
  TexelFormat format;
  std::uint32_t width = 1;
  std::uint32_t height = 0;  ///< 0: one row, for reads by an index (`tex1Dfetch`)
  std::size_t pitch = 0;     ///< 0: rows follow each other without gaps
};

/// A texture or surface object. Owned; it keeps its array. Move-only. It must outlive the kernels that use it.
class LATHE_API TextureObject {
 public:
  /// The kernel's argument: of type cudaTextureObject_t or cudaSurfaceObject_t there.
  [[nodiscard]] unsigned long long handle() const noexcept;

 private:
  friend class Device;
  std::shared_ptr<detail::TextureDriver> object_;
};

/// A kernel's argument of it (<lathe/runtime/adapt.h>).
[[nodiscard]] inline unsigned long long adapt(const TextureObject& object) noexcept {
  return object.handle();
}

}  // namespace lathe
