// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver API: arrays, texture objects and surface objects.
#include <algorithm>

#include "runtimes/cuda/cuda_api.h"

namespace lathe::detail {
namespace {

CuArrayFormat formatOf(const TexelFormat& format) {
  const bool is8 = format.bits == 8, is16 = format.bits == 16;
  switch (format.kind) {
    case TexelKind::real:
      return is16 ? CuArrayFormat::half : CuArrayFormat::real;
    case TexelKind::signedInteger:
      return is8 ? CuArrayFormat::signed8 : is16 ? CuArrayFormat::signed16 : CuArrayFormat::signed32;
    case TexelKind::unsignedInteger:
      break;
  }
  return is8 ? CuArrayFormat::unsigned8 : is16 ? CuArrayFormat::unsigned16 : CuArrayFormat::unsigned32;
}

CuArrayDescriptor described(const ArrayShape& shape) {
  // tex2Dgather() is for plain images that are no larger than this on any GPU.
  constexpr std::uint32_t largestGathered = 16384;
  CuArrayDescriptor out{.width = shape.width, .height = shape.height, .depth = shape.depth};
  out.format = formatOf(shape.format);
  out.channels = shape.format.channels;
  if (shape.layers != 0) out.flags |= CuArrayDescriptor::layered;
  if (shape.cube) out.flags |= CuArrayDescriptor::cubemap;
  if (shape.surface) out.flags |= CuArrayDescriptor::surface;
  if (shape.layers != 0 || shape.cube) {
    out.depth = levelExtent(shape, 0).slices;
  } else if (shape.height != 0 && shape.depth == 0 && shape.levels == 1 && !shape.surface &&
             std::max(shape.width, shape.height) <= largestGathered) {
    out.flags |= CuArrayDescriptor::gather;
  }
  return out;
}

CuTexture described(const Sampling& sampling) {
  static_assert(static_cast<int>(TextureAddress::wrap) == 0 && static_cast<int>(TextureAddress::border) == 3);
  CuTexture out;
  for (std::size_t i = 0; i < 3; ++i) out.addressMode[i] = static_cast<int>(sampling.address[i]);
  out.filter = sampling.linear;
  if (!sampling.fractions) out.flags |= CuTexture::readAsInteger;
  if (sampling.normalized) out.flags |= CuTexture::normalizedCoordinates;
  out.levelFilter = sampling.linearLevels;
  out.levelBias = sampling.levelBias;
  out.minLevel = sampling.minLevel;
  out.maxLevel = sampling.maxLevel;
  std::ranges::copy(sampling.border, out.border);
  return out;
}

constexpr int hostMemory = 1, arrayMemory = 3;  // CU_MEMORYTYPE_…

/// A copy of all rows, between an array and host memory without gaps.
CuCopy3D wholeCopy(std::size_t rowBytes, const LevelExtent& extent) {
  CuCopy3D out;
  out.widthBytes = rowBytes;
  out.height = extent.height;
  out.depth = extent.slices;
  return out;
}

CuCopy3D::Side ofArray(void* array) {
  CuCopy3D::Side out;
  out.memoryType = arrayMemory;
  out.array = array;
  return out;
}

CuCopy3D::Side ofHost(const void* address, std::size_t rowBytes, const LevelExtent& extent) {
  CuCopy3D::Side out;
  out.memoryType = hostMemory;
  out.host = address;
  out.pitch = rowBytes;
  out.height = extent.height;
  return out;
}

}  // namespace

const GpuTextures* CudaApi::textures() const noexcept {
  const bool all = ArrayCreate && ArrayDestroy && MipmappedArrayCreate && MipmappedArrayDestroy &&
                   MipmappedArrayLevel && Memcpy3D && TexObjectCreate && TexObjectDestroy && SurfObjectCreate &&
                   SurfObjectDestroy;
  return all ? this : nullptr;
}

GpuApi::Status CudaApi::createArray(Handle& out, const ArrayShape& shape) const {
  const CuArrayDescriptor descriptor = described(shape);
  return ArrayCreate(&out, &descriptor);
}

GpuApi::Status CudaApi::createLevels(Handle& out, const ArrayShape& shape) const {
  const CuArrayDescriptor descriptor = described(shape);
  return MipmappedArrayCreate(&out, &descriptor, shape.levels);
}

GpuApi::Status CudaApi::copyIn(Handle array, const void* from, std::size_t rowBytes, const LevelExtent& extent) const {
  CuCopy3D copy = wholeCopy(rowBytes, extent);
  copy.from = ofHost(from, rowBytes, extent);
  copy.to = ofArray(array);
  // It may return when the driver has taken the bytes; streams of others do not wait for the rest.
  const CuResult status = Memcpy3D(&copy);
  return status == 0 ? StreamSynchronize(nullptr) : status;
}

GpuApi::Status CudaApi::copyOut(void* to, Handle array, std::size_t rowBytes, const LevelExtent& extent) const {
  CuCopy3D copy = wholeCopy(rowBytes, extent);
  copy.from = ofArray(array);
  copy.to = ofHost(to, rowBytes, extent);
  return Memcpy3D(&copy);
}

GpuApi::Status CudaApi::createTexture(Object& out, Handle array, bool hasLevels, const Sampling& sampling) const {
  CuResource resource;
  resource.kind = hasLevels ? CuResource::Kind::mipmappedArray : CuResource::Kind::array;
  resource.array = array;
  const CuTexture texture = described(sampling);
  return TexObjectCreate(&out, &resource, &texture, nullptr);
}

GpuApi::Status CudaApi::createTexture(Object& out, void* address, const PlainImage& image,
                                      const Sampling& sampling) const {
  CuResource resource;
  const CuArrayFormat format = formatOf(image.format);
  if (image.height == 0) {
    resource.kind = CuResource::Kind::linear;
    resource.linear = {toDevice(address), format, image.format.channels, image.width * image.format.bytes()};
  } else {
    resource.kind = CuResource::Kind::pitch2D;
    resource.pitch2D = {toDevice(address), format, image.format.channels, image.width, image.height, image.pitch};
  }
  const CuTexture texture = described(sampling);
  return TexObjectCreate(&out, &resource, &texture, nullptr);
}

GpuApi::Status CudaApi::createSurface(Object& out, Handle array) const {
  CuResource resource;
  resource.array = array;
  return SurfObjectCreate(&out, &resource);
}

}  // namespace lathe::detail
