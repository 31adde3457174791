// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices of the GPU runtimes: memory, and what is made from a device.
#include "runtimes/common/gpu/gpu_device.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "runtimes/common/gpu/gpu_context.h"
#include "runtimes/common/gpu/gpu_graph.h"
#include "runtimes/common/gpu/gpu_kernel.h"
#include "runtimes/common/gpu/gpu_stream.h"
#include "runtimes/common/gpu/gpu_textures.h"

namespace lathe::detail {

GpuDevice::~GpuDevice() {
  if (states_.defaultQueue().used()) (void)synchronize();  // prints what nobody waited for
  if (states_.defaultQueue().used() || heap_.exists()) {
    quietlyIn([&] {
      states_.defaultQueue().release(api_);
      heap_.release(api_);
      return 0;
    });
  }
  if (isOwn_) (void)api_.releaseContext(info().index, context_);
}

Error GpuDevice::cannot(std::string_view doing) const {
  return {.code = ErrorCode::Unsupported,
          .message = fmt::format("{}: {}: the driver has no call for it", info().runtime, doing),
          .target = info().runtime};
}

Result<void*> GpuDevice::allocate(std::size_t bytes) {
  void* out = nullptr;
  if (auto done = in("allocating memory", [&] { return api_.allocate(out, bytes); }); !done) {
    done.error().message =
        fmt::format("{} ({} bytes of the device's {} were asked for)", done.error().message, bytes, info().memoryBytes);
    return std::move(done).error();
  }
  return out;
}

void GpuDevice::free(void* address) noexcept {
  quietlyIn([&] { return api_.free(address); });
}

Result<void*> GpuDevice::allocateReached(std::size_t bytes, MemoryKind kind) {
  void* out = nullptr;
  const bool managed = kind == MemoryKind::managed;
  auto done = in(managed ? "allocating managed memory" : "allocating pinned memory",
                 [&] { return managed ? api_.allocateManaged(out, bytes) : api_.allocateHost(out, bytes); });
  if (done) return out;
  done.error().message = fmt::format("{} ({} bytes were asked for)", done.error().message, bytes);
  if (!managed && done.error().code == ErrorCode::OutOfDeviceMemory) done.error().code = ErrorCode::OutOfHostMemory;
  return std::move(done).error();
}

void GpuDevice::freeReached(void* address, MemoryKind kind) noexcept {
  quietlyIn([&] {
    if (kind == MemoryKind::managed) return api_.free(address);
    // Freeing device memory waits for the kernels that use it; this does not of itself.
    const Status waited = api_.synchronizeContext();
    const Status freed = api_.freeHost(address);
    return waited == 0 ? freed : waited;
  });
}

Result<void> GpuDevice::upload(void* to, const void* from, std::size_t bytes) {
  return in("copying to the device", [&] { return api_.copyIn(to, from, bytes); });
}

Result<void> GpuDevice::download(void* to, const void* from, std::size_t bytes) {
  return states_.around(printOutput(),
                        [&] { return in("copying from the device", [&] { return api_.copyOut(to, from, bytes); }); });
}

Result<void> GpuDevice::copyWithin(void* to, const void* from, std::size_t bytes) {
  auto done = in("copying between devices", [&] { return api_.copyWithin(to, from, bytes); });
  if (!done && done.error().code == ErrorCode::Unsupported) return DeviceDriver::copyWithin(to, from, bytes);
  return done;
}

Result<void> GpuDevice::copyBlock(const BlockCopy& block, CopyKind kind) {
  const auto copy = [&] {
    return in("copying rows", [&] {
      const Status status = api_.copyBlockOn(block, kind, nullptr);
      return status == 0 ? api_.synchronizeStream(nullptr) : status;
    });
  };
  auto done = kind == CopyKind::download ? states_.around(printOutput(), copy) : copy();
  if (!done && done.error().code == ErrorCode::Unsupported) return DeviceDriver::copyBlock(block, kind);
  return done;
}

Result<void> GpuDevice::fill(void* to, std::uint8_t value, std::size_t bytes) {
  return in("filling memory", [&] {
    const Status status = api_.fill(to, value, bytes);
    return status == 0 ? api_.synchronizeStream(nullptr) : status;
  });
}

Result<void> GpuDevice::synchronize() {
  return states_.around(printOutput(),
                        [&] { return in("waiting for the device", [&] { return api_.synchronizeContext(); }); });
}

Result<bool> GpuDevice::canReach(const DeviceDriver& other) const {
  bool out = false;
  auto asked = in("asking for a way to another device's memory",
                  [&] { return api_.canReach(out, info().index, other.info().index); });
  if (!asked && asked.error().code == ErrorCode::Unsupported) return false;
  if (!asked) return std::move(asked).error();
  return out;
}

Result<void> GpuDevice::reach(const DeviceDriver& other) {
  auto possible = canReach(other);
  if (!possible) return std::move(possible).error();
  if (!*possible)
    return lacks(fmt::format("way to the memory of {} (device {})", other.info().name, other.info().index));
  return in("opening the way to another device's memory",
            [&] { return api_.reach(other.info().index, static_cast<const GpuDevice&>(other).context()); });
}

Result<std::size_t> GpuDevice::limit(DeviceLimit limit) const {
  std::size_t out = 0;
  auto asked = in("asking for a limit", [&] { return api_.limit(out, limit); });
  if (!asked) return std::move(asked).error();
  return out;
}

Result<void> GpuDevice::setLimit(DeviceLimit limit, std::size_t bytes) {
  auto set = in("setting a limit", [&] { return api_.setLimit(limit, bytes); });
  if (set || set.error().code == ErrorCode::Unsupported) return set;
  set.error().message = fmt::format("{} ({} bytes were asked for)", set.error().message, bytes);
  const ErrorCode code = set.error().code;
  if (code == ErrorCode::OutOfDeviceMemory || code == ErrorCode::DriverError)
    set.error().code = ErrorCode::InvalidArgument;
  return set;
}

Result<std::unique_ptr<StreamDriver>> GpuDevice::createStream(const StreamOptions& options) {
  Handle stream = nullptr;
  auto created = in("creating a stream", [&] { return api_.createStream(stream, options.priority); });
  if (!created) return std::move(created).error();
  return std::unique_ptr<StreamDriver>(std::make_unique<GpuStream>(*this, stream, true));
}

Result<std::unique_ptr<StreamDriver>> GpuDevice::adoptStream(void* nativeHandle) {
  // Only a driver whose handles are the vendor's own has something to adopt.
  if (!api_.adoptsStreams()) return DeviceDriver::adoptStream(nativeHandle);
  return std::unique_ptr<StreamDriver>(std::make_unique<GpuStream>(*this, nativeHandle, false));
}

Result<std::unique_ptr<GraphDriver>> GpuDevice::createGraph() {
  if (!api_.hasGraphs()) return DeviceDriver::createGraph();
  Handle graph = nullptr;
  auto created = in("creating a graph", [&] { return api_.createGraph(graph); });
  if (!created) return std::move(created).error();
  return std::unique_ptr<GraphDriver>(std::make_unique<GpuGraph>(*this, graph));
}

Result<TensorMap> GpuDevice::createTensorMap(void* address, const TensorShape& shape) const {
  TensorMap out;
  auto encoded = in("encoding a tensor map", [&] { return api_.encodeTensorMap(out, address, shape); });
  if (!encoded) return std::move(encoded).error();
  return out;
}

ArrayResult GpuDevice::createArray(const ArrayShape& shape) {
  return api_.textures() ? gpuArray(*this, shape) : DeviceDriver::createArray(shape);
}

TextureResult GpuDevice::createTexture(std::shared_ptr<TexelArrayDriver> array, const Sampling& sampling) {
  return api_.textures() ? gpuTexture(std::move(array), sampling)
                         : DeviceDriver::createTexture(std::move(array), sampling);
}

TextureResult GpuDevice::createTexture(void* address, const PlainImage& image, const Sampling& sampling) {
  return api_.textures() ? gpuTexture(*this, address, image, sampling)
                         : DeviceDriver::createTexture(address, image, sampling);
}

TextureResult GpuDevice::createSurface(std::shared_ptr<TexelArrayDriver> array, std::uint32_t level) {
  return api_.textures() ? gpuSurface(std::move(array), level) : DeviceDriver::createSurface(std::move(array), level);
}

namespace {

std::vector<Note> linesOf(std::string_view log) {
  std::vector<Note> out;
  while (!log.empty()) {
    const auto end = std::min(log.find('\n'), log.size());
    if (end != 0) out.push_back({.message = std::string(log.substr(0, end))});
    log.remove_prefix(std::min(end + 1, log.size()));
  }
  return out;
}

Error noUsableCode(const Image& image, const DeviceInfo& device) {
  std::string have;
  for (const Code& code : image.code())
    have += fmt::format("{}{} for {}", have.empty() ? "" : ", ", code.format, code.arch.empty() ? "?" : code.arch);
  if (!image.info().features.empty()) have += fmt::format(" with {}", image.info().features);
  return {.code = ErrorCode::IncompatibleDevice,
          .message = fmt::format("image: it holds {}, which {} ({}) cannot run; compile it for {}",
                                 have.empty() ? "no code" : have, device.name, device.arch, device.arch),
          .hint = "lathe targets lists the targets and their architectures",
          .target = device.runtime};
}

}  // namespace

Result<std::shared_ptr<LoadedModule>> GpuDevice::load(const Image& image) {
  const auto usable = api_.usableCode(image, info());
  Error error = noUsableCode(image, info());
  for (const Code* code : usable) {
    Handle module = nullptr;
    std::string log;
    auto loaded = in(fmt::format("loading {} for {}", code->format, code->arch),
                     [&] { return api_.loadModule(module, *code, image.info().optLevel, log); });
    if (loaded) {
      auto self = std::static_pointer_cast<GpuDevice>(shared_from_this());
      return std::shared_ptr<LoadedModule>(std::make_shared<GpuModule>(image, std::move(self), module));
    }
    error = std::move(loaded).error();
    error.notes = linesOf(log);
    // Only code for another device makes the next candidate worth a try.
    if (error.code != ErrorCode::IncompatibleDevice) break;
  }
  return error;
}

Result<std::shared_ptr<DeviceDriver>> openGpuDevice(const GpuApi& api, DeviceInfo info) {
  GpuApi::Handle context = nullptr;
  if (const GpuApi::Status status = api.retainContext(info.index, context); status != 0) {
    return api.error(status, fmt::format("opening device {}", info.index));
  }
  return std::shared_ptr<DeviceDriver>(std::make_shared<GpuDevice>(api, std::move(info), context, /*isOwn=*/true));
}

std::shared_ptr<DeviceDriver> adoptGpuContext(const GpuApi& api, DeviceInfo info, GpuApi::Handle context) {
  return std::make_shared<GpuDevice>(api, std::move(info), context, /*isOwn=*/false);
}

}  // namespace lathe::detail
