// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules and kernels of the GPU runtimes.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <utility>

#include "runtimes/common/all_arguments.h"
#include "runtimes/common/gpu/gpu_context.h"
#include "runtimes/common/gpu/gpu_graph.h"

namespace lathe::detail {

class GpuModule final : public LoadedModule {
 public:
  GpuModule(Image image, std::shared_ptr<GpuDevice> device, GpuApi::Handle module)
      : LoadedModule(std::move(image)), device_(std::move(device)), module_(module) {}
  ~GpuModule() override {
    device_->quietlyIn([&] { return device_->api().unloadModule(module_); });
  }
  [[nodiscard]] const GpuDevice& device() const noexcept { return *device_; }
  Result<std::shared_ptr<LoadedKernel>> kernel(const EntryPoint& entry) override;
  Result<std::pair<void*, std::size_t>> global(const GlobalVariable& global) override;

 private:
  std::shared_ptr<GpuDevice> device_;
  GpuApi::Handle module_;
};

/// A function that was found in a module.
class GpuFunction {
 public:
  using Handle = GpuApi::Handle;
  GpuFunction() = default;
  GpuFunction(GpuFunction&& other) noexcept
      : api_(std::exchange(other.api_, nullptr)), handle_(std::exchange(other.handle_, nullptr)) {}
  GpuFunction& operator=(GpuFunction&& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~GpuFunction() {
    if (handle_) api_->releaseFunction(handle_);
  }
  /// With the device's context current; `module` must outlive this.
  GpuApi::Status find(const GpuApi& api, Handle module, const EntryPoint& entry, const std::string& symbol) {
    api_ = &api;
    return api.findFunction(handle_, module, entry, symbol.c_str());
  }
  [[nodiscard]] Handle handle() const noexcept { return handle_; }

 private:
  const GpuApi* api_ = nullptr;
  Handle handle_ = nullptr;
};

class GpuKernel final : public LoadedKernel {
 public:
  using Handle = GpuApi::Handle;
  using Status = GpuApi::Status;

  /// The function that serves several groups in each that is launched, and the most items it runs in one.
  struct Coarse {
    GpuFunction function;
    std::uint32_t maxItems = 0;
  };

  GpuKernel(const EntryPoint& entry, const LaunchLimits& limits, const GpuFunctionFacts& facts, std::size_t heapBytes,
            std::shared_ptr<const GpuModule> module, GpuFunction function, Coarse coarse);

  [[nodiscard]] const DeviceDriver& device() const noexcept override { return device_; }
  Result<void> launch(const LaunchOptions& options, StreamDriver* stream,
                      std::span<const void* const> arguments) const override;
  [[nodiscard]] Result<ResourceUse> resources() const override;
  [[nodiscard]] CodeArchitectures architectures() const noexcept override {
    return {static_cast<std::uint32_t>(facts_.textArchitecture),
            static_cast<std::uint32_t>(facts_.machineArchitecture)};
  }
  [[nodiscard]] Result<std::uint32_t> groupsAtOnce(std::uint32_t groupItems,
                                                   std::uint32_t dynamicSharedBytes) const override;

  /// Calls queue(function, options, arguments) with what the driver takes for one launch: the form of the kernel, the
  /// grid in its unit and all arguments, Lathe's among them. It returns the driver's status, as this does. What the
  /// kernel reports goes to `state`, whose launches it `counts` among.
  template <class Queue>
  Status submit(const LaunchOptions& given, GpuQueueState& state, bool counts, std::span<const void* const> arguments,
                const Queue& queue) const {
    const LaunchOptions options = asDriverTakes(given, entry().cluster);
    if (const Status status = allowShared(options.dynamicSharedBytes); status != 0) return status;
    const bool coarse = isCoarse(options);
    if (entry().hidden.empty() && !coarse) return queue(function_.handle(), options, arguments.data());
    AllArguments all(arguments);
    LaunchOptions launched = options;
    if (coarse) launched.grid.x = (options.grid.x - 1) / entry().coarse.groups + 1;
    const auto queueAll = [&] {
      if (coarse) all.add(&options.grid.x);
      return queue((coarse ? coarse_.function : function_).handle(), launched, all.data());
    };
    if (entry().abi == EntryAbi::state) return withState(state, counts, all, options, queueAll);
    const std::uint64_t shape = groupShapeOf(options.group);
    addHidden(all, options, shape, nullptr);
    return queueAll();
  }
  /// The same for a node of a graph that has these parts, for which checkNode() succeeded. Reports go where those of
  /// the default stream do: Device::synchronize() tells them.
  template <class Queue>
  Status submitNode(GpuGraphParts& parts, const LaunchOptions& options, std::span<const void* const> arguments,
                    const Queue& queue) const {
    if (entry().abi == EntryAbi::state) parts.noteState(waitsForGrid_);
    return submit(options, device_.states().defaultQueue(), /*counts=*/false, arguments, queue);
  }
  /// Whether the kernel can be in a graph of the driver's. Errors: Unsupported.
  [[nodiscard]] Result<void> checkNode() const;
  /// `queued`, or the failure as that of a launch of this kernel.
  [[nodiscard]] Result<void> named(Result<void> queued) const;

 private:
  /// Drivers read a cluster's fixed size from the code, and a grid in the unit that the code says.
  static LaunchOptions asDriverTakes(LaunchOptions options, const ClusterBounds& bounds);
  /// Lets the function use as much dynamic shared memory as it can, if it may not use `bytes` yet.
  [[nodiscard]] Status allowShared(std::uint32_t bytes) const;
  /// Whether the launch takes the function that serves several groups in one.
  [[nodiscard]] bool isCoarse(const LaunchOptions& options) const;
  /// Adds what the entry expects behind its parameters.
  void addHidden(AllArguments& all, const LaunchOptions& options, const std::uint64_t& shape, const void* state) const;
  /// Adds the kernel's state, and queues the launch.
  template <class Queue>
  Status withState(GpuQueueState& queue, bool counts, AllArguments& all, const LaunchOptions& options,
                   const Queue& queueLaunch) const {
    abi::Heap* heap = nullptr;
    if (heapBytes_ != 0) {
      if (const Status status = device_.heap().get(heap, heapBytes_, device_.api()); status != 0) return status;
    }
    const GpuQueueState::Launch launch{.kernel = number_, .heap = heap, .grid = waitsForGrid_, .counts = counts};
    return queue.launch(device_.api(), launch, [&](const abi::KernelState& state) {
      const HiddenArgument hidden = hiddenArgument(*std::ranges::find_if(entry().hidden, isState), state);
      const std::uint64_t shape = groupShapeOf(options.group);
      addHidden(all, options, shape, hidden.bytes.data());
      return queueLaunch();
    });
  }

  GpuFunctionFacts facts_;
  std::shared_ptr<const GpuModule> module_;
  const GpuDevice& device_;
  GpuFunction function_;
  Coarse coarse_;
  std::uint64_t leastItems_;  ///< of a launch that takes it
  std::uint64_t number_ = 0;  ///< in states of kernels
  std::size_t heapBytes_;     ///< 0: it takes none
  bool waitsForGrid_ = false;
  bool takesReferences_;
  /// Races are harmless: two threads then allow the same amount.
  mutable std::atomic<std::uint32_t> allowed_ = 0;  ///< dynamic shared bytes
};

}  // namespace lathe::detail
