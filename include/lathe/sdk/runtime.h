// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A runtime in a shared library of its own: what launches the code of a target that Lathe does not know. The library
// exports one object, `lathe_runtime`; its versions are checked before anything is called, and it stays loaded for the
// life of the process. Only the standard library and Lathe's own headers are needed, no LLVM.
//
// `Device::open("NAME")` finds it as NAME-runtime.so, in a folder of its own name or not, in the folders given to
// addRuntimeFolder() and then in those of $LATHE_TARGET_PATH: beside the descriptor that says `runtime: NAME`.
#pragma once

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
/// growing at the end of RuntimePlugin.
inline constexpr std::uint32_t runtimeAbiVersion = 2;

/// A kernel of a loaded module. Lives no longer than its module.
class RuntimeKernel {
 public:
  virtual ~RuntimeKernel() = default;
  /// Runs one launch and waits for it. Counts and extents were checked against the entry and the device; there is one
  /// pointer for each parameter. `options.stream` is not for a runtime to use. Any number of threads may call it.
  /// Errors: LaunchFailed, DeviceFault, OutOfDeviceMemory, DriverError.
  virtual Result<void> launch(const LaunchOptions& options, std::span<const void* const> arguments) = 0;
};

class RuntimeModule {
 public:
  virtual ~RuntimeModule() = default;
  /// `entry` is one of the image's. Errors: UnknownKernel (the code has no such symbol), DriverError.
  virtual Result<std::unique_ptr<RuntimeKernel>> kernel(const EntryPoint& entry) = 0;
  /// Address and size of a variable; `global` is one of the image's. Errors: InvalidArgument (the code has no such
  /// symbol), DriverError.
  virtual Result<std::pair<void*, std::size_t>> global(const GlobalVariable& global) = 0;
};

/// One device. Lives as long as anything made from it. Members are called from any thread.
class RuntimeDevice {
 public:
  virtual ~RuntimeDevice() = default;
  /// `runtime` and `index` are filled in by Lathe.
  [[nodiscard]] virtual DeviceInfo info() const = 0;
  /// `image` stays valid for the life of the module. Errors: IncompatibleDevice, ImageCorrupt, DriverTooOld,
  /// OutOfDeviceMemory.
  virtual Result<std::unique_ptr<RuntimeModule>> load(const Image& image) = 0;
  /// `bytes` is at least 1. Errors: OutOfDeviceMemory.
  virtual Result<void*> allocate(std::size_t bytes) = 0;
  virtual void free(void* address) noexcept = 0;
  /// Copies and waits, as do the next two. The caller has checked the range. Errors: DeviceFault (an earlier kernel
  /// failed), DriverError.
  virtual Result<void> upload(void* to, const void* from, std::size_t bytes) = 0;
  /// Errors: as upload().
  virtual Result<void> download(void* to, const void* from, std::size_t bytes) = 0;
  /// Sets every byte. Errors: as upload().
  virtual Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) = 0;
};

struct RuntimePlugin {
  std::uint32_t abiVersion;
  std::uint32_t structSize;
  const char* name;
  const char* version;
  /// Devices present; fails where there is no driver.
  Result<int> (*deviceCount)();
  /// `index` is below deviceCount().
  Result<std::unique_ptr<RuntimeDevice>> (*open)(int index);
};

/// Lets Device::open() look for runtimes in `folder` too. Thread-safe.
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
