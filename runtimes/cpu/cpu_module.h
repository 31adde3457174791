// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images of host code: a relocatable ELF object placed by the loader, and kernels that are entries of the group ABI.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/group/entry/group_entry.h"
#include "runtimes/common/driver.h"
#include "runtimes/cpu/cpu_device.h"
#include "runtimes/cpu/grid.h"
#include "runtimes/cpu/loader/loaded_object.h"

namespace lathe::detail {

class CpuKernel;

class CpuModule final : public LoadedModule {
 public:
  CpuModule(Image image, std::shared_ptr<const CpuDevice> device, std::unique_ptr<const LoadedObject> object)
      : LoadedModule(std::move(image)), device_(std::move(device)), object_(std::move(object)) {}
  [[nodiscard]] const CpuDevice& device() const noexcept { return *device_; }
  Result<std::shared_ptr<LoadedKernel>> kernel(const EntryPoint& entry) override;
  void* function(std::string_view name) override { return object_->function(name); }
  Result<std::pair<void*, std::size_t>> global(const GlobalVariable& global) override;
  /// Runs what the groups of a grid launched, one after the other, and what that launches. Errors: as of
  /// CpuKernel::run().
  [[nodiscard]] Result<void> runLaunched(std::vector<DeviceLaunch> launches) const;

 private:
  /// kernel() by its own type.
  [[nodiscard]] Result<std::shared_ptr<CpuKernel>> cpuKernel(const EntryPoint& entry) const;

  std::shared_ptr<const CpuDevice> device_;
  std::unique_ptr<const LoadedObject> object_;
};

/// The device's limits and those of the group ABI.
[[nodiscard]] LaunchLimits limitsOfGroupEntry(const DeviceInfo& device, const EntryPoint& entry);

class CpuKernel final : public LoadedKernel, public std::enable_shared_from_this<CpuKernel> {
 public:
  CpuKernel(const EntryPoint& entry, std::shared_ptr<const CpuModule> module, abi::GroupEntry code)
      : LoadedKernel(entry, limitsOfGroupEntry(module->device().info(), entry)),
        module_(std::move(module)),
        code_(code) {}
  [[nodiscard]] const DeviceDriver& device() const noexcept override { return module_->device(); }
  Result<void> launch(const LaunchOptions& options, StreamDriver* stream,
                      std::span<const void* const> arguments) const override;

  /// Lays the arguments out in `block` as the entry wants them. False without memory.
  [[nodiscard]] bool pack(std::span<const void* const> arguments, GrowingBlock& block) const noexcept;
  /// Runs a launch with packed parameters to its end, and what its groups launch. Errors: OutOfHostMemory; what the
  /// groups' failures are.
  [[nodiscard]] Result<void> run(const LaunchOptions& options, GrowingBlock& parameters) const;
  /// The same without what its groups launch, which is added to `launches`.
  [[nodiscard]] Result<void> runAlone(const LaunchOptions& options, GrowingBlock& parameters,
                                      DeviceLaunches& launches) const;
  [[nodiscard]] Error outOfMemory() const;

 private:
  /// Runs the grid and says how it ended.
  [[nodiscard]] Result<void> finish(const Grid& grid, HostLaunch launch) const;
  std::shared_ptr<const CpuModule> module_;
  abi::GroupEntry code_;
  mutable GroupCost cost_;
};

}  // namespace lathe::detail
