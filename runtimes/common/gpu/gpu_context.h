// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device of any GpuApi. Every step is: make the context current, call the driver, convert its status.
#pragma once

#include <memory>
#include <string_view>

#include "runtimes/common/driver.h"
#include "runtimes/common/gpu/gpu_api.h"
#include "runtimes/common/gpu/gpu_state.h"

namespace lathe::detail {

class GpuDevice final : public DeviceDriver {
 public:
  using Handle = GpuApi::Handle;
  using Status = GpuApi::Status;

  /// `isOwn`: the context is released with the object.
  GpuDevice(const GpuApi& api, DeviceInfo info, Handle context, bool isOwn)
      : DeviceDriver(std::move(info)), api_(api), context_(context), isOwn_(isOwn), states_(this->info().runtime) {}
  ~GpuDevice() override;

  [[nodiscard]] const GpuApi& api() const noexcept { return api_; }
  [[nodiscard]] GpuStates& states() const noexcept { return states_; }
  [[nodiscard]] Handle context() const noexcept { return context_; }
  [[nodiscard]] GpuHeap& heap() const noexcept { return heap_; }
  [[nodiscard]] bool givesState() const noexcept override { return true; }

  /// Runs `step`, which calls the driver and gives its status, in this device's context.
  template <class Step>
  Result<void> in(std::string_view doing, const Step& step) const {
    Status status = api_.makeCurrent(context_);
    if (status == 0) status = step();
    if (status == 0) return {};
    if (status == GpuApi::unsupported) return cannot(doing);
    return api_.error(status, doing);
  }
  /// For destructors, which can tell nobody of a failure.
  template <class Step>
  void quietlyIn(const Step& step) const noexcept {
    if (api_.makeCurrent(context_) == 0) (void)step();
  }

  Result<std::shared_ptr<LoadedModule>> load(const Image& image) override;
  Result<void*> allocate(std::size_t bytes) override;
  void free(void* address) noexcept override;
  Result<void> upload(void* to, const void* from, std::size_t bytes) override;
  Result<void> download(void* to, const void* from, std::size_t bytes) override;
  Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) override;
  Result<std::unique_ptr<StreamDriver>> createStream(const StreamOptions& options) override;
  Result<void> synchronize() override;

  Result<void*> allocateReached(std::size_t bytes, MemoryKind kind) override;
  void freeReached(void* address, MemoryKind kind) noexcept override;
  Result<void> copyWithin(void* to, const void* from, std::size_t bytes) override;
  Result<void> copyBlock(const BlockCopy& block, CopyKind kind) override;
  Result<std::unique_ptr<StreamDriver>> adoptStream(void* nativeHandle) override;
  Result<std::unique_ptr<GraphDriver>> createGraph() override;
  Result<bool> canReach(const DeviceDriver& other) const override;
  Result<void> reach(const DeviceDriver& other) override;
  Result<std::size_t> limit(DeviceLimit limit) const override;
  ArrayResult createArray(const ArrayShape& shape) override;
  TextureResult createTexture(std::shared_ptr<TexelArrayDriver> array, const Sampling& sampling) override;
  TextureResult createTexture(void* address, const PlainImage& image, const Sampling& sampling) override;
  TextureResult createSurface(std::shared_ptr<TexelArrayDriver> array, std::uint32_t level) override;
  Result<void> setLimit(DeviceLimit limit, std::size_t bytes) override;
  Result<TensorMap> createTensorMap(void* address, const TensorShape& shape) const override;

 private:
  [[nodiscard]] Error cannot(std::string_view doing) const;

  const GpuApi& api_;
  Handle context_;
  bool isOwn_;
  mutable GpuStates states_;
  mutable GpuHeap heap_;
};

}  // namespace lathe::detail
