// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A runtime in a shared library of its own: it launches the code of a target that Lathe does not know. The library
// exports one object, `lathe_runtime`; its versions are checked before anything is called, and it stays loaded for the
// life of the process. Only the standard library and Lathe's own headers are needed, no LLVM.
//
// `Device::open("NAME")` looks for NAME-runtime.so and then NAME/NAME-runtime.so in each folder given to
// addRuntimeFolder() and then in those of $LATHE_TARGET_PATH. The descriptor that says `runtime: NAME` may lie beside
// it. Device::list() and Device::runtimes() do not show it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

#include <lathe/export.h>
#include <lathe/image.h>
#include <lathe/result.h>
#include <lathe/runtime.h>

namespace lathe::sdk {

/// Changes whenever something below, or a type of lathe/runtime.h or lathe/image.h that it uses, changes other than by
/// growing at the end of RuntimePlugin. A library of another version is refused (PluginInvalid).
inline constexpr std::uint32_t runtimeAbiVersion = 4;

/// A point in the work of a stream. As it stands it is of a runtime whose launches are done when they return: the time
/// at which it was made. It may outlive its stream. Members are called from any thread, by several at once.
class RuntimeEvent {
 public:
  virtual ~RuntimeEvent() = default;
  /// Waits until the work before the point is done. Errors: DeviceFault, DriverError.
  virtual Result<void> synchronize() { return {}; }
  /// Waits for both points; milliseconds from this one to `later`, which is of the same device. Errors: as
  /// synchronize().
  virtual Result<double> elapsedUntil(RuntimeEvent& later) {
    return std::chrono::duration<double, std::milli>(later.made_ - made_).count();
  }

 private:
  std::chrono::steady_clock::time_point made_ = std::chrono::steady_clock::now();
};

/// An in-order queue of launches, used by one thread at a time. As it stands it is of a runtime whose launches are done
/// when they return, so that there is never anything to wait for. Lathe calls synchronize() before it deletes one.
class RuntimeStream {
 public:
  virtual ~RuntimeStream() = default;
  /// Waits for all that was queued. Errors: DeviceFault (a queued launch failed), DriverError.
  virtual Result<void> synchronize() { return {}; }
  /// The point behind what is queued. Errors: OutOfHostMemory, DriverError.
  virtual Result<std::unique_ptr<RuntimeEvent>> record() { return std::make_unique<RuntimeEvent>(); }
  /// Lets what is queued later begin after the event, which is of the same device. Returns at once. The event may be
  /// deleted before that. Errors: OutOfHostMemory, DriverError.
  virtual Result<void> wait(RuntimeEvent&) { return {}; }
  /// The vendor's handle, for Stream::nativeHandle().
  [[nodiscard]] virtual void* nativeHandle() const noexcept { return nullptr; }
};

/// A kernel of a loaded module. Lives no longer than its module, and as long as launches of it are queued. Any number
/// of threads may call its members.
class RuntimeKernel {
 public:
  virtual ~RuntimeKernel() = default;
  /// Runs one launch and waits for it. Counts and extents were checked against the entry and the device; there is one
  /// pointer for each parameter. `options.stream` is not for a runtime to use. Nothing is queued on the device's
  /// streams when Lathe calls it. Errors: LaunchFailed, DeviceFault, OutOfDeviceMemory, DriverError.
  virtual Result<void> launch(const LaunchOptions& options, std::span<const void* const> arguments) = 0;
  /// Queues one launch on a stream that the device made, with copies of the arguments, and returns at once. As it
  /// stands it runs the launch and waits. Errors: as launch(); of the launch itself, where synchronize() tells them.
  virtual Result<void> launchOn(RuntimeStream&, const LaunchOptions& options, std::span<const void* const> arguments) {
    return launch(options, arguments);
  }
};

/// An image that was loaded. Lives no longer than its device. Members are called from any thread, by several at once.
class RuntimeModule {
 public:
  virtual ~RuntimeModule() = default;
  /// Binds a kernel; `entry` is one of the image's, and lives as long as it. Errors: UnknownKernel (the code has no
  /// such symbol), DriverError.
  virtual Result<std::unique_ptr<RuntimeKernel>> kernel(const EntryPoint& entry) = 0;
  /// Address and size of a variable; `global` is one of the image's. Errors: InvalidArgument (the code has no such
  /// symbol), DriverError.
  virtual Result<std::pair<void*, std::size_t>> global(const GlobalVariable& global) = 0;
};

/// One device. Lives as long as anything made from it. Members are called from any thread, by several at once.
class RuntimeDevice {
 public:
  virtual ~RuntimeDevice() = default;
  /// `runtime` and `index` are filled in by Lathe.
  [[nodiscard]] virtual DeviceInfo info() const = 0;
  /// Loads the code; `image` stays valid for the life of the module. Errors: IncompatibleDevice, ImageCorrupt,
  /// DriverTooOld, OutOfDeviceMemory.
  virtual Result<std::unique_ptr<RuntimeModule>> load(const Image& image) = 0;
  /// Memory of `bytes` bytes, which are at least 1. Errors: OutOfDeviceMemory.
  virtual Result<void*> allocate(std::size_t bytes) = 0;
  /// Takes back what allocate() gave. The kernels that use it have ended.
  virtual void free(void* address) noexcept = 0;
  /// Copies and waits, as download() and fill() do. The range has been checked, `bytes` is at least 1, and nothing is
  /// queued: Lathe calls synchronize() first. Errors: DriverError.
  virtual Result<void> upload(void* to, const void* from, std::size_t bytes) = 0;
  /// Errors: as upload().
  virtual Result<void> download(void* to, const void* from, std::size_t bytes) = 0;
  /// Sets every byte. Errors: as upload().
  virtual Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) = 0;
  /// A new queue, on which launches go by RuntimeKernel::launchOn(). As it stands it is one for launches that are done
  /// when they return. Errors: OutOfHostMemory, OutOfDeviceMemory, DriverError.
  virtual Result<std::unique_ptr<RuntimeStream>> createStream() { return std::make_unique<RuntimeStream>(); }
  /// Waits for all streams. Errors: DeviceFault (an earlier kernel failed), DriverError.
  virtual Result<void> synchronize() { return {}; }
};

/// The exported object; LATHE_RUNTIME_PLUGIN fills it in. Its functions are called by one thread at a time.
struct RuntimePlugin {
  std::uint32_t abiVersion;
  std::uint32_t structSize;
  const char* name;
  const char* version;  ///< for messages
  /// The number of devices present. Errors: DriverMissing, DriverTooOld, DriverError.
  Result<int> (*deviceCount)();
  /// Opens a device; `index` is below deviceCount(). Errors: OutOfDeviceMemory, DriverError.
  Result<std::unique_ptr<RuntimeDevice>> (*open)(int index);
};

/// Lets Device::open() look for runtimes in `folder` too, for the life of the process. Thread-safe.
LATHE_API void addRuntimeFolder(std::filesystem::path folder);

}  // namespace lathe::sdk

/// Defines the exported object: LATHE_RUNTIME_PLUGIN("mine", "1.0", deviceCount, open) at namespace scope, once.
#define LATHE_RUNTIME_PLUGIN(runtime_name, runtime_version, device_count, open_device)               \
  extern "C" __attribute__((visibility("default"))) const ::lathe::sdk::RuntimePlugin lathe_runtime; \
  const ::lathe::sdk::RuntimePlugin lathe_runtime = {::lathe::sdk::runtimeAbiVersion,                \
                                                     sizeof(::lathe::sdk::RuntimePlugin),            \
                                                     runtime_name,                                   \
                                                     runtime_version,                                \
                                                     device_count,                                   \
                                                     open_device}
