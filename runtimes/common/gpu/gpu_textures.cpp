// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays, textures and surfaces of a driver.
#include "runtimes/common/gpu/gpu_textures.h"

#include <utility>

#include <fmt/format.h>

#include "runtimes/common/gpu/gpu_context.h"

namespace lathe::detail {
namespace {

class GpuArray final : public TexelArrayDriver {
 public:
  using Handle = GpuTextures::Handle;

  GpuArray(std::shared_ptr<GpuDevice> device, const ArrayShape& shape, Handle array)
      : TexelArrayDriver(shape), device_(std::move(device)), array_(array) {}
  ~GpuArray() override {
    device_->quietlyIn([&] { return hasLevels() ? calls().destroyLevels(array_) : calls().destroyArray(array_); });
  }
  [[nodiscard]] const DeviceDriver& device() const noexcept override { return *device_; }
  [[nodiscard]] const std::shared_ptr<GpuDevice>& gpu() const noexcept { return device_; }
  [[nodiscard]] const GpuTextures& calls() const noexcept { return *device_->api().textures(); }
  [[nodiscard]] Handle array() const noexcept { return array_; }
  [[nodiscard]] bool hasLevels() const noexcept { return shape().levels > 1; }
  /// A level as an array of its own.
  int level(Handle& out, std::uint32_t which) const {
    out = array_;
    return hasLevels() ? calls().levelOf(out, array_, which) : 0;
  }

  Result<void> upload(std::span<const std::byte> from, std::uint32_t which) override {
    const LevelExtent extent = levelExtent(shape(), which);
    return device_->in("copying to an array", [&] {
      Handle to = nullptr;
      const int status = level(to, which);
      return status == 0 ? calls().copyIn(to, from.data(), from.size() / extent.rows(), extent) : status;
    });
  }
  Result<void> download(std::span<std::byte> to, std::uint32_t which) const override {
    const LevelExtent extent = levelExtent(shape(), which);
    return device_->states().around(device_->printOutput(), [&] {
      return device_->in("copying from an array", [&] {
        Handle from = nullptr;
        const int status = level(from, which);
        return status == 0 ? calls().copyOut(to.data(), from, to.size() / extent.rows(), extent) : status;
      });
    });
  }

 private:
  std::shared_ptr<GpuDevice> device_;
  Handle array_;
};

class GpuTexture final : public TextureDriver {
 public:
  GpuTexture(std::shared_ptr<GpuDevice> device, std::shared_ptr<TexelArrayDriver> array, GpuTextures::Object object,
             bool isSurface)
      : TextureDriver(std::move(array)), device_(std::move(device)), object_(object), isSurface_(isSurface) {}
  ~GpuTexture() override {
    const GpuTextures& calls = *device_->api().textures();
    device_->quietlyIn([&] { return isSurface_ ? calls.destroySurface(object_) : calls.destroyTexture(object_); });
  }
  [[nodiscard]] unsigned long long handle() const noexcept override { return object_; }

 private:
  std::shared_ptr<GpuDevice> device_;
  GpuTextures::Object object_;
  bool isSurface_;
};

/// The object that `create`, which takes the driver's calls and its place, makes.
template <class Create>
TextureResult made(std::shared_ptr<GpuDevice> device, std::shared_ptr<TexelArrayDriver> array, bool isSurface,
                   const Create& create) {
  GpuTextures::Object object = 0;
  auto done = device->in(isSurface ? "making a surface object" : "making a texture object",
                         [&] { return create(*device->api().textures(), object); });
  if (!done) return std::move(done).error();
  return std::shared_ptr<TextureDriver>(
      std::make_shared<GpuTexture>(std::move(device), std::move(array), object, isSurface));
}

}  // namespace

ArrayResult gpuArray(GpuDevice& device, const ArrayShape& shape) {
  const GpuTextures& calls = *device.api().textures();
  GpuTextures::Handle array = nullptr;
  auto created = device.in("making an array", [&] {
    return shape.levels > 1 ? calls.createLevels(array, shape) : calls.createArray(array, shape);
  });
  if (!created) {
    created.error().message = fmt::format("{} ({} by {} by {} texels, {} levels)", created.error().message, shape.width,
                                          shape.height, levelExtent(shape, 0).slices, shape.levels);
    return std::move(created).error();
  }
  auto self = std::static_pointer_cast<GpuDevice>(device.shared_from_this());
  return std::shared_ptr<TexelArrayDriver>(std::make_shared<GpuArray>(std::move(self), shape, array));
}

TextureResult gpuTexture(std::shared_ptr<TexelArrayDriver> array, const Sampling& sampling) {
  auto& own = static_cast<GpuArray&>(*array);
  return made(own.gpu(), array, false, [&](const GpuTextures& calls, GpuTextures::Object& out) {
    return calls.createTexture(out, own.array(), own.hasLevels(), sampling);
  });
}

TextureResult gpuTexture(GpuDevice& device, void* address, const PlainImage& image, const Sampling& sampling) {
  return made(std::static_pointer_cast<GpuDevice>(device.shared_from_this()), nullptr, false,
              [&](const GpuTextures& calls, GpuTextures::Object& out) {
                return calls.createTexture(out, address, image, sampling);
              });
}

TextureResult gpuSurface(std::shared_ptr<TexelArrayDriver> array, std::uint32_t level) {
  auto& own = static_cast<GpuArray&>(*array);
  return made(own.gpu(), array, true, [&](const GpuTextures& calls, GpuTextures::Object& out) {
    GpuTextures::Handle of = nullptr;
    const int status = own.level(of, level);
    return status == 0 ? calls.createSurface(out, of) : status;
  });
}

}  // namespace lathe::detail
