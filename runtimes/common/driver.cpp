// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a runtime has that implements the least.
#include "runtimes/common/driver.h"

#include <new>
#include <vector>

#include <fmt/format.h>

#include "runtimes/common/promises.h"
#include "runtimes/common/recorded_graph.h"

namespace lathe::detail {

Result<std::unique_ptr<GraphDriver>> StreamDriver::endCapture() {
  return std::unique_ptr<GraphDriver>();
}

Error DeviceDriver::lacks(std::string_view what) const {
  return {.code = ErrorCode::Unsupported,
          .message = fmt::format("{}: {} has no {}", info().runtime, info().name, what),
          .target = info().runtime};
}

LoadedKernel::LoadedKernel(const EntryPoint& entry, const LaunchLimits& limits)
    : entry_(entry), limits_(limits), hasPromises_(detail::hasPromises(entry)) {}

Result<std::uint32_t> LoadedKernel::groupsAtOnce(std::uint32_t, std::uint32_t) const {
  return device().lacks("count of the groups that run at once");
}

Result<void*> DeviceDriver::allocateReached(std::size_t, MemoryKind kind) {
  return lacks(kind == MemoryKind::managed ? "managed memory" : "pinned memory");
}

Result<void> DeviceDriver::copyWithin(void* to, const void* from, std::size_t bytes) {
  const std::unique_ptr<std::byte[]> between(new (std::nothrow) std::byte[bytes]);
  if (!between)
    return Error{
        .code = ErrorCode::OutOfHostMemory,
        .message = fmt::format("{}: there is no memory to copy {} bytes by way of the host", info().runtime, bytes),
        .target = info().runtime};
  if (auto done = download(between.get(), from, bytes); !done) return done;
  return upload(to, between.get(), bytes);
}

Result<void> DeviceDriver::copyBlock(const BlockCopy& block, CopyKind kind) {
  return eachRow(block, [&](void* to, const void* from, std::size_t bytes) {
    return kind == CopyKind::upload     ? upload(to, from, bytes)
           : kind == CopyKind::download ? download(to, from, bytes)
                                        : copyWithin(to, from, bytes);
  });
}

Result<void> StreamDriver::copyBlock(const BlockCopy& block, CopyKind kind) {
  return eachRow(block, [&](void* to, const void* from, std::size_t bytes) { return copy(to, from, bytes, kind); });
}

Result<void> GraphDriver::addBlock(const BlockCopy& block, CopyKind kind) {
  return eachRow(block,
                 [&](void* to, const void* from, std::size_t bytes) { return addCopy({}, to, from, bytes, kind); });
}

Result<TensorMap> DeviceDriver::createTensorMap(void* /*address*/, const TensorShape& /*shape*/) const {
  return lacks("tensor maps");
}

Result<std::unique_ptr<StreamDriver>> DeviceDriver::adoptStream(void*) {
  return lacks("streams of others");
}

Result<std::unique_ptr<GraphDriver>> DeviceDriver::createGraph() {
  return std::unique_ptr<GraphDriver>(std::make_unique<RecordedGraph>(*this));
}

Result<void> DeviceDriver::reach(const DeviceDriver& other) {
  return lacks(fmt::format("way to the memory of device {}", other.info().index));
}

Result<std::size_t> DeviceDriver::limit(DeviceLimit) const {
  return lacks("limits that a program may move");
}

Result<void> DeviceDriver::setLimit(DeviceLimit, std::size_t) {
  return lacks("limits that a program may move");
}

ArrayResult DeviceDriver::createArray(const ArrayShape& shape) {
  return plainArray(*this, shape);
}

TextureResult DeviceDriver::createTexture(std::shared_ptr<TexelArrayDriver> array, const Sampling& sampling) {
  return plainTexture(std::move(array), sampling);
}

TextureResult DeviceDriver::createTexture(void* address, const PlainImage& image, const Sampling& sampling) {
  return plainTexture(*this, address, image, sampling);
}

TextureResult DeviceDriver::createSurface(std::shared_ptr<TexelArrayDriver> array, std::uint32_t level) {
  return plainSurface(std::move(array), level);
}

}  // namespace lathe::detail
