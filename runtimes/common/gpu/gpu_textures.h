// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The textures of a driver that has them, call by call. All act on the current context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtimes/common/textures.h"

namespace lathe::detail {

class GpuDevice;

/// Part of a GpuApi, which gives statuses as its other functions do.
class GpuTextures {
 public:
  using Status = int;
  using Handle = void*;
  using Object = unsigned long long;

  virtual ~GpuTextures() = default;
  /// An array of one level, or of several, which is another kind of handle.
  virtual Status createArray(Handle& out, const ArrayShape& shape) const = 0;
  virtual Status createLevels(Handle& out, const ArrayShape& shape) const = 0;
  virtual Status destroyArray(Handle array) const = 0;
  virtual Status destroyLevels(Handle levels) const = 0;
  /// One level, as an array that lives as long as `levels`.
  virtual Status levelOf(Handle& array, Handle levels, std::uint32_t level) const = 0;
  /// All texels of an array; waits.
  virtual Status copyIn(Handle array, const void* from, std::size_t rowBytes, const LevelExtent& extent) const = 0;
  virtual Status copyOut(void* to, Handle array, std::size_t rowBytes, const LevelExtent& extent) const = 0;
  virtual Status createTexture(Object& out, Handle array, bool hasLevels, const Sampling& sampling) const = 0;
  virtual Status createTexture(Object& out, void* address, const PlainImage& image, const Sampling& sampling) const = 0;
  virtual Status createSurface(Object& out, Handle array) const = 0;
  virtual Status destroyTexture(Object object) const = 0;
  virtual Status destroySurface(Object object) const = 0;
};

/// The driver's objects of `device`, whose GpuApi has textures(). The array of the other functions is of gpuArray().
[[nodiscard]] ArrayResult gpuArray(GpuDevice& device, const ArrayShape& shape);
[[nodiscard]] TextureResult gpuTexture(std::shared_ptr<TexelArrayDriver> array, const Sampling& sampling);
[[nodiscard]] TextureResult gpuTexture(GpuDevice& device, void* address, const PlainImage& image,
                                       const Sampling& sampling);
[[nodiscard]] TextureResult gpuSurface(std::shared_ptr<TexelArrayDriver> array, std::uint32_t level);

}  // namespace lathe::detail
