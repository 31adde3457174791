// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a runtime implements behind <lathe/runtime.h>. The public classes check what they are asked for once, here for
// all runtimes (ranges, launch options, argument counts, foreign streams), so that a runtime sees only requests that
// make sense.
//
// Ownership: a kernel keeps its module alive, a module its device. Threads: every member may be called from any thread,
// except those of one StreamDriver, which belong to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <lathe/runtime.h>

#include "runtimes/common/launch_check.h"
#include "runtimes/common/print_text.h"

namespace lathe::detail {

/// A point in the work of a stream. It may outlive the stream, but not the device.
class EventDriver {
 public:
  virtual ~EventDriver() = default;
  virtual Result<void> synchronize() const = 0;
  /// Waits for both. Milliseconds from this point to `later`, which is of the same device.
  virtual Result<double> elapsedUntil(const EventDriver& later) const = 0;
};

/// An in-order queue. Work on it starts after what the default stream was given before; copies and the default stream's
/// launches wait for it.
class StreamDriver {
 public:
  virtual ~StreamDriver() = default;
  virtual Result<void> synchronize() = 0;
  /// The point behind what is queued.
  virtual Result<std::unique_ptr<EventDriver>> record() = 0;
  /// Later work begins after the point, which is of a stream of the same device. Does not wait.
  virtual Result<void> wait(const EventDriver& event) = 0;
  [[nodiscard]] virtual void* nativeHandle() const noexcept { return nullptr; }
};

class LoadedKernel {
 public:
  LoadedKernel(const EntryPoint& entry, const LaunchLimits& limits) : entry_(entry), limits_(limits) {}
  virtual ~LoadedKernel() = default;
  [[nodiscard]] const EntryPoint& entry() const noexcept { return entry_; }
  [[nodiscard]] const LaunchLimits& limits() const noexcept { return limits_; }
  [[nodiscard]] virtual const DeviceDriver& device() const noexcept = 0;
  /// Queues one launch on `stream`, or on the default stream if it is null. One pointer for each parameter of the
  /// entry.
  virtual Result<void> launch(const LaunchOptions& options, StreamDriver* stream,
                              std::span<const void* const> arguments) const = 0;
  [[nodiscard]] virtual Result<ResourceUse> resources() const { return entry_.resources; }

 private:
  const EntryPoint& entry_;  ///< in the module's image
  LaunchLimits limits_;
};

class LoadedModule : public std::enable_shared_from_this<LoadedModule> {
 public:
  explicit LoadedModule(Image image) : image_(std::move(image)) {}
  virtual ~LoadedModule() = default;
  [[nodiscard]] const Image& image() const noexcept { return image_; }
  /// `entry` is one of image().info().entries.
  virtual Result<std::shared_ptr<LoadedKernel>> kernel(const EntryPoint& entry) = 0;
  /// A function of the code that a host program may call itself; null if there is none of that name.
  [[nodiscard]] virtual void* function(std::string_view /*name*/) { return nullptr; }
  /// `global` is one of image().info().globals.
  virtual Result<std::pair<void*, std::size_t>> global(const GlobalVariable& global) = 0;

 private:
  Image image_;
};

class DeviceDriver : public std::enable_shared_from_this<DeviceDriver> {
 public:
  explicit DeviceDriver(DeviceInfo info) : info_(std::move(info)) {}
  virtual ~DeviceDriver() = default;
  [[nodiscard]] const DeviceInfo& info() const noexcept { return info_; }
  virtual Result<std::shared_ptr<LoadedModule>> load(const Image& image) = 0;
  /// `bytes` is at least 1.
  virtual Result<void*> allocate(std::size_t bytes) = 0;
  virtual void free(void* address) noexcept = 0;
  virtual Result<void> upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual Result<void> download(void* to, const void* from, std::size_t bytes) = 0;
  virtual Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) = 0;
  virtual Result<std::unique_ptr<StreamDriver>> createStream() = 0;
  virtual Result<void> synchronize() = 0;
  /// Whether kernels get their hidden state here.
  [[nodiscard]] virtual bool givesState() const noexcept { return false; }
  /// Where the text goes that kernels print through the runtime.
  [[nodiscard]] PrintOutput& printOutput() const noexcept { return printOutput_; }

 private:
  DeviceInfo info_;
  mutable PrintOutput printOutput_;
};

/// A runtime: what the generated list names.
struct Runtime {
  std::string_view name;
  /// Devices present; fails where there is no driver.
  Result<int> (*deviceCount)();
  /// `index` is below deviceCount().
  Result<std::shared_ptr<DeviceDriver>> (*open)(int index);
  /// False for a runtime that runs no kernels of a grid: it opens by name but is not among the machine's devices.
  bool listed = true;
};

}  // namespace lathe::detail
