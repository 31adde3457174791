// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The "null" runtime: the least a runtime can be, and the place to start a new one from (README.md). Its memory is host
// memory; its kernels are bound, checked and counted, and compute nothing.
#include "runtimes/null/null_runtime.h"

#include <atomic>
#include <cstring>
#include <new>

#include "runtimes/common/registry.h"

namespace lathe::detail {
namespace {

std::atomic<std::uint64_t> launches = 0;

class NullKernel final : public LoadedKernel {
 public:
  NullKernel(const EntryPoint& entry, std::shared_ptr<const LoadedModule> module, const DeviceDriver& device)
      : LoadedKernel(entry, limitsOf(device.info(), entry)), module_(std::move(module)), device_(device) {}
  [[nodiscard]] const DeviceDriver& device() const noexcept override { return device_; }
  Result<void> launch(const LaunchOptions&, StreamDriver*, std::span<const void* const>) const override {
    ++launches;
    return {};
  }

 private:
  std::shared_ptr<const LoadedModule> module_;
  const DeviceDriver& device_;
};

class NullModule final : public LoadedModule {
 public:
  NullModule(Image image, std::shared_ptr<const DeviceDriver> device)
      : LoadedModule(std::move(image)), device_(std::move(device)) {}
  Result<std::shared_ptr<LoadedKernel>> kernel(const EntryPoint& entry) override {
    return std::shared_ptr<LoadedKernel>(std::make_shared<NullKernel>(entry, shared_from_this(), *device_));
  }
  Result<std::pair<void*, std::size_t>> global(const GlobalVariable& global) override {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = "null: variable '" + global.name + "' has no storage: nothing runs here",
                 .target = "null"};
  }

 private:
  std::shared_ptr<const DeviceDriver> device_;
};

/// Work is done when it is queued, so there is nothing to wait for and no time passes.
class NullEvent final : public EventDriver {
 public:
  Result<void> synchronize() const override { return {}; }
  Result<double> elapsedUntil(const EventDriver&) const override { return 0.0; }
};

class NullStream final : public StreamDriver {
 public:
  Result<void> synchronize() override { return {}; }
  Result<std::unique_ptr<EventDriver>> record() override {
    return std::unique_ptr<EventDriver>(std::make_unique<NullEvent>());
  }
  Result<void> wait(const EventDriver&) override { return {}; }
};

class NullDevice final : public DeviceDriver {
 public:
  using DeviceDriver::DeviceDriver;
  Result<std::shared_ptr<LoadedModule>> load(const Image& image) override {
    return std::shared_ptr<LoadedModule>(std::make_shared<NullModule>(image, shared_from_this()));
  }
  Result<void*> allocate(std::size_t bytes) override {
    if (void* const out = ::operator new(bytes, std::nothrow)) return out;
    return Error{.code = ErrorCode::OutOfDeviceMemory,
                 .message = "null: there are no " + std::to_string(bytes) + " bytes of memory",
                 .target = "null"};
  }
  void free(void* address) noexcept override { ::operator delete(address); }
  Result<void> upload(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
    return {};
  }
  Result<void> download(void* to, const void* from, std::size_t bytes) override { return upload(to, from, bytes); }
  Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) override {
    std::memset(to, value, bytes);
    return {};
  }
  Result<void*> allocateReached(std::size_t bytes, MemoryKind) override { return allocate(bytes); }
  void freeReached(void* address, MemoryKind) noexcept override { free(address); }
  Result<std::unique_ptr<StreamDriver>> createStream(const StreamOptions&) override {
    return std::unique_ptr<StreamDriver>(std::make_unique<NullStream>());
  }
  Result<void> synchronize() override { return {}; }
};

Result<int> deviceCount() {
  return 1;
}

Result<std::shared_ptr<DeviceDriver>> open(int index) {
  DeviceInfo info;
  info.name = "nothing";
  info.runtime = "null";
  info.arch = "x86-64";  // the only one that its target has
  info.index = index;
  info.maxItemsPerGroup = 1024;
  info.maxGroup = {1024, 1024, 64};
  info.maxGrid = {0x7fffffff, 65535, 65535};
  info.maxSharedBytes = 48 * 1024;
  return std::shared_ptr<DeviceDriver>(std::make_shared<NullDevice>(std::move(info)));
}

}  // namespace

std::uint64_t nullLaunches() noexcept {
  return launches;
}

const Runtime& nullRuntime() {
  static constexpr Runtime runtime{.name = "null", .deviceCount = deviceCount, .open = open, .listed = false};
  return runtime;
}

}  // namespace lathe::detail
