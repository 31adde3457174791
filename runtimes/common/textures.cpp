// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays and textures in plain memory of a device.
#include "runtimes/common/textures.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "runtimes/common/driver.h"

namespace lathe::detail {
namespace {

/// Memory of a device, with the device.
class PlainMemory {
 public:
  PlainMemory(std::shared_ptr<DeviceDriver> device, void* address) : device_(std::move(device)), address_(address) {}
  PlainMemory(PlainMemory&& other) noexcept
      : device_(std::move(other.device_)), address_(std::exchange(other.address_, nullptr)) {}
  PlainMemory& operator=(PlainMemory&&) = delete;
  ~PlainMemory() {
    if (address_) device_->free(address_);
  }
  [[nodiscard]] std::byte* at(std::size_t offset) const noexcept { return static_cast<std::byte*>(address_) + offset; }
  [[nodiscard]] DeviceDriver& device() const noexcept { return *device_; }

 private:
  std::shared_ptr<DeviceDriver> device_;
  void* address_;
};

Result<PlainMemory> allocate(DeviceDriver& device, std::size_t bytes) {
  auto address = device.allocate(bytes);
  if (!address) return std::move(address).error();
  return PlainMemory(device.shared_from_this(), *address);
}

class PlainArray final : public TexelArrayDriver {
 public:
  PlainArray(const ArrayShape& shape, PlainMemory memory) : TexelArrayDriver(shape), memory_(std::move(memory)) {}
  [[nodiscard]] const DeviceDriver& device() const noexcept override { return memory_.device(); }
  [[nodiscard]] DeviceDriver& device() noexcept { return memory_.device(); }
  Result<void> upload(std::span<const std::byte> from, std::uint32_t level) override {
    return memory_.device().upload(texels(level), from.data(), from.size());
  }
  Result<void> download(std::span<std::byte> to, std::uint32_t level) const override {
    return memory_.device().download(to.data(), texels(level), to.size());
  }
  [[nodiscard]] std::byte* texels(std::uint32_t level) const noexcept {
    std::size_t offset = 0;
    for (std::uint32_t i = 0; i < level; ++i) offset += alignedBytes(shape(), i);
    return memory_.at(offset);
  }
  /// The bytes of a level, with those that the next begins behind: at an address for texels of any size.
  static std::size_t alignedBytes(const ArrayShape& shape, std::uint32_t level) noexcept {
    constexpr std::size_t alignment = 256;
    return (levelBytes(shape, level) + alignment - 1) / alignment * alignment;
  }

 private:
  PlainMemory memory_;
};

class PlainTexture final : public TextureDriver {
 public:
  PlainTexture(std::shared_ptr<TexelArrayDriver> array, PlainMemory memory)
      : TextureDriver(std::move(array)), memory_(std::move(memory)) {}
  [[nodiscard]] unsigned long long handle() const noexcept override {
    return reinterpret_cast<std::uintptr_t>(memory_.at(0));
  }

 private:
  PlainMemory memory_;
};

Texture described(const TexelFormat& format, const Sampling& sampling) {
  Texture out;
  out.kind = format.kind;
  out.bits = format.bits;
  out.channels = format.channels;
  out.linear = sampling.linear;
  out.normalized = sampling.normalized;
  std::ranges::copy(sampling.address, out.address);
  std::ranges::copy(sampling.border, out.border);
  out.linearLevels = sampling.linearLevels;
  out.levelBias = sampling.levelBias;
  out.minLevel = sampling.minLevel;
  out.maxLevel = sampling.maxLevel;
  return out;
}

Texture described(const PlainArray& array, std::uint32_t level, const Sampling& sampling) {
  const LevelExtent extent = levelExtent(array.shape(), level);
  Texture out = described(array.shape().format, sampling);
  out.data = array.texels(level);
  out.width = extent.width;
  out.height = extent.height;
  out.depth = extent.slices;
  out.pitch = static_cast<unsigned>(extent.width * array.shape().format.bytes());
  return out;
}

TextureResult object(DeviceDriver& device, std::shared_ptr<TexelArrayDriver> array, std::span<const Texture> levels) {
  auto memory = allocate(device, levels.size_bytes());
  if (!memory) return std::move(memory).error();
  if (auto copied = device.upload(memory->at(0), levels.data(), levels.size_bytes()); !copied)
    return std::move(copied).error();
  return std::shared_ptr<TextureDriver>(std::make_shared<PlainTexture>(std::move(array), *std::move(memory)));
}

}  // namespace

LevelExtent levelExtent(const ArrayShape& shape, std::uint32_t level) noexcept {
  const auto at = [&](std::uint32_t texels) { return std::max(texels >> level, 1u); };
  const std::uint32_t images = std::max(shape.layers, 1u) * (shape.cube ? 6u : 1u);
  return {at(shape.width), at(shape.height), shape.depth != 0 ? at(shape.depth) : images};
}

std::size_t levelBytes(const ArrayShape& shape, std::uint32_t level) noexcept {
  const LevelExtent extent = levelExtent(shape, level);
  return extent.rows() * extent.width * shape.format.bytes();
}

ArrayResult plainArray(DeviceDriver& device, const ArrayShape& shape) {
  std::size_t bytes = 0;
  for (std::uint32_t level = 0; level < shape.levels; ++level) bytes += PlainArray::alignedBytes(shape, level);
  auto memory = allocate(device, bytes);
  if (!memory) return std::move(memory).error();
  return std::shared_ptr<TexelArrayDriver>(std::make_shared<PlainArray>(shape, *std::move(memory)));
}

TextureResult plainTexture(std::shared_ptr<TexelArrayDriver> array, const Sampling& sampling) {
  auto& plain = static_cast<PlainArray&>(*array);
  std::vector<Texture> levels;
  for (std::uint32_t level = 0; level < array->shape().levels; ++level)
    levels.push_back(described(plain, level, sampling));
  levels.front().levels = static_cast<unsigned char>(levels.size());
  return object(plain.device(), std::move(array), levels);
}

TextureResult plainTexture(DeviceDriver& device, void* address, const PlainImage& image, const Sampling& sampling) {
  Texture out = described(image.format, sampling);
  out.data = address;
  out.width = image.width;
  out.height = std::max(image.height, 1u);
  out.pitch = static_cast<unsigned>(image.pitch);
  return object(device, nullptr, {&out, 1});
}

TextureResult plainSurface(std::shared_ptr<TexelArrayDriver> array, std::uint32_t level) {
  auto& plain = static_cast<PlainArray&>(*array);
  const Texture out = described(plain, level, {});
  return object(plain.device(), std::move(array), {&out, 1});
}

}  // namespace lathe::detail
