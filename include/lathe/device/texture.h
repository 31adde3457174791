// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects of targets without sampling hardware: such an object is the address of a lathe::Texture.
// On NVIDIA an object is the driver's (cuTexObjectCreate). Host programs fill one in and pass its address as the
// kernel's object argument:
//
//   lathe::Texture image{.data = pixels, .width = 640, .height = 480, .pitch = 640 * sizeof(float)};
//   kernel(out, reinterpret_cast<unsigned long long>(&image));
//
// The struct and the texels must be memory that the kernel can read: on the CPU any, on other devices the device's.
// Both must live until the kernel has ended. Includes nothing, for host and device code alike.
#ifndef LATHE_DEVICE_TEXTURE_H
#define LATHE_DEVICE_TEXTURE_H

namespace lathe {

/// The type of a texel's channels.
enum class TexelKind : unsigned char { real, signedInteger, unsignedInteger };
/// The meaning of a coordinate outside of the image. `wrap` and `mirror` need normalised coordinates, else they clamp,
/// as in CUDA.
enum class TextureAddress : unsigned char { wrap, clamp, mirror, border };

/// An image in memory and how it is read.
struct Texture {
  void* data = nullptr;  ///< rows of `pitch` bytes, slices (depth, layers) of `height` rows
  unsigned width = 1;    ///< in texels, as height and depth
  unsigned height = 1;
  unsigned depth = 1;  ///< slices of a 3-D image, or layers
  unsigned pitch = 0;  ///< bytes from one row to the next
  TexelKind kind = TexelKind::real;
  /// Of a channel: 8, 16 or 32; real ones have 16 or 32. Aligned, because it is mostly read with the next.
  alignas(2) unsigned char bits = 32;
  unsigned char channels = 1;  ///< 1, 2 or 4; missing ones read as zero
  bool linear = false;         ///< interpolates, with weights of 8 bits as CUDA's hardware does
  bool normalized = false;     ///< coordinates go from 0 to 1
  TextureAddress address[3] = {TextureAddress::clamp, TextureAddress::clamp, TextureAddress::clamp};
  float border[4] = {0, 0, 0, 0};
  /// Levels of detail (mipmap): this and the `levels` - 1 Textures behind it in memory, each half as large. What follows
  /// is read of the first.
  unsigned char levels = 1;
  bool linearLevels = false;  ///< mixes the two nearest levels, with weights of 8 bits; else the nearest is read
  float levelBias = 0;        ///< added to every level that a kernel asks for
  float minLevel = 0;         ///< levels asked for are at least this, and at most the next
  float maxLevel = 16;
};

}  // namespace lathe

#endif
