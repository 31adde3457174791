// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running images: devices, memory, streams, modules and kernels. Link `lathe::runtime`; no LLVM comes with it.
//
//   auto device = lathe::Device::open("cuda");
//   auto module = device->load(image);
//   auto saxpy  = module->kernel<int, float, const float*, float*>("saxpy");
//   auto x      = device->allocate<float>(n);
//   (*saxpy)({.grid = {n / 256}, .group = {256}}, n, 2.0f, x->data(), y->data());
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <lathe/export.h>
#include <lathe/image.h>
#include <lathe/result.h>

namespace lathe {

namespace detail {
class DeviceDriver;
class LoadedModule;
class LoadedKernel;
class StreamDriver;
}  // namespace detail

/// Three extents; what is left out is 1.
struct Extent3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
  [[nodiscard]] constexpr std::uint64_t count() const noexcept { return std::uint64_t{x} * y * z; }
  bool operator==(const Extent3&) const = default;
};

class Stream;

struct LaunchOptions {
  Extent3 grid = {};                     ///< groups
  Extent3 group = {};                    ///< items in a group
  std::uint32_t dynamicSharedBytes = 0;  ///< on top of the kernel's static shared memory
  Stream* stream = nullptr;              ///< null: the device's default stream
  /// All groups of the grid run at once, so that a barrier over the grid ends. DeviceInfo::gridBarriers says where.
  bool cooperative = false;
  /// Groups that run together and reach each other's shared memory; each extent divides the grid's.
  /// DeviceInfo::maxCluster says how many a device takes.
  Extent3 cluster = {};
};

struct DeviceInfo {
  std::string name;     ///< "NVIDIA H200"
  std::string runtime;  ///< "cuda"
  std::string arch;     ///< "sm_90"; pass it as Job::arch
  int index = 0;
  std::uint64_t memoryBytes = 0;
  std::uint32_t multiprocessors = 0;
  std::uint32_t subgroupSize = 1;
  std::uint32_t maxItemsPerGroup = 0;
  Extent3 maxGroup;
  Extent3 maxGrid;
  std::uint32_t maxSharedBytes = 0;  ///< static plus dynamic, of one group
  bool gridBarriers = false;         ///< takes cooperative launches
  std::uint32_t maxCluster = 1;      ///< groups in a cluster; 1: has none
  std::string driverVersion;
};

/// Device memory, untyped. Owned; freed with the object, which keeps its device open. Move-only.
class LATHE_API Memory {
 public:
  Memory() = default;
  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;
  ~Memory();
  /// The device address; on the CPU a plain pointer, 64-byte aligned or better.
  [[nodiscard]] void* address() const noexcept { return address_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// Copies and waits. Errors: InvalidArgument (range), DeviceFault (an earlier kernel failed), DriverError.
  [[nodiscard]] Result<void> upload(const void* from, std::size_t bytes, std::size_t offset = 0);
  [[nodiscard]] Result<void> download(void* to, std::size_t bytes, std::size_t offset = 0) const;
  /// Sets every byte; ordered on the default stream, waits. Errors: DeviceFault (an earlier kernel failed),
  /// DriverError.
  [[nodiscard]] Result<void> fill(std::uint8_t value);

 private:
  friend class Device;
  std::shared_ptr<detail::DeviceDriver> driver_;
  void* address_ = nullptr;
  std::size_t bytes_ = 0;
};

/// An array of `size()` T in device memory.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device buffers hold trivially copyable types");

 public:
  Buffer() = default;
  explicit Buffer(Memory memory) : memory_(std::move(memory)) {}
  [[nodiscard]] T* data() const noexcept { return static_cast<T*>(memory_.address()); }
  [[nodiscard]] std::size_t size() const noexcept { return memory_.bytes() / sizeof(T); }
  [[nodiscard]] Result<void> upload(std::span<const T> from, std::size_t first = 0) {
    return memory_.upload(from.data(), from.size_bytes(), offsetOf(first));
  }
  [[nodiscard]] Result<void> download(std::span<T> to, std::size_t first = 0) const {
    return memory_.download(to.data(), to.size_bytes(), offsetOf(first));
  }
  /// The whole buffer as a vector. Errors: as download().
  [[nodiscard]] Result<std::vector<T>> read() const {
    std::vector<T> out(size());
    if (auto done = download(out); !done) return std::move(done).error();
    return out;
  }
  /// Errors: as Memory::fill().
  [[nodiscard]] Result<void> zero() { return memory_.fill(0); }

 private:
  /// Beyond the end: an offset that no buffer has, where the product might wrap around to a good one.
  [[nodiscard]] std::size_t offsetOf(std::size_t first) const noexcept {
    return first <= size() ? first * sizeof(T) : SIZE_MAX;
  }
  Memory memory_;
};

/// An in-order queue of work, one thread's at a time. It is ordered with the default stream and with copies: what comes
/// later there waits for what was queued here before. Move-only; what is queued when it is destroyed is still done, its
/// errors are lost: synchronize() first.
///
/// On the CPU a thread that waits for work that has not begun runs it: synchronize(), copies, fills, freeing memory and
/// launches on the default stream may run queued kernels on the calling thread, and need the stack that those do.
class LATHE_API Stream {
 public:
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  ~Stream();
  /// Waits for everything queued; on the CPU, runs here what has not begun. Errors: DeviceFault, CheckFailed,
  /// DriverError.
  [[nodiscard]] Result<void> synchronize();
  /// Begins to measure what is queued here from now on. Errors: DeviceFault, DriverError.
  [[nodiscard]] Result<void> recordStart();
  /// Waits, and returns the milliseconds that the device took for what was queued here since recordStart(). Errors:
  /// InvalidArgument (nothing was begun), DeviceFault, DriverError.
  [[nodiscard]] Result<double> elapsedSinceStart();
  /// The runtime's own handle (CUstream, hipStream_t), for use with the vendor's API; null on the CPU.
  [[nodiscard]] void* nativeHandle() const noexcept;

 private:
  friend class Device;
  friend class RawKernel;
  Stream() = default;
  std::shared_ptr<detail::DeviceDriver> driver_;
  std::unique_ptr<detail::StreamDriver> stream_;
  bool started_ = false;
};

/// A kernel with its arguments checked by size only: what the tool and language bindings use.
class LATHE_API RawKernel {
 public:
  [[nodiscard]] const EntryPoint& entry() const noexcept;
  /// `arguments[i]` points to the value of parameter i, entry().parameters[i].type.size bytes. Returns when queued, on
  /// the CPU's default stream when done. Errors: LaunchInvalid, ArgumentMismatch, LaunchFailed, OutOfHostMemory; where
  /// it is done, DeviceFault and CheckFailed.
  [[nodiscard]] Result<void> launch(const LaunchOptions& options, std::span<const void* const> arguments) const;
  /// What the loaded code uses, as the driver reports it. Errors: DriverError.
  [[nodiscard]] Result<ResourceUse> resources() const;

 private:
  friend class Module;
  std::shared_ptr<detail::LoadedKernel> kernel_;
};

namespace detail {
/// What bind-time checks know of a host type.
struct HostType {
  TypeKind kind;
  std::uint64_t size;
  std::uint32_t align;
  bool pointeeKnown;  ///< of pointers: the fields below describe the pointee
  TypeKind pointeeKind;
  std::uint64_t pointeeSize;
};

template <class T>
constexpr TypeKind hostKind() {
  if constexpr (std::is_same_v<T, bool>)
    return TypeKind::boolean;
  else if constexpr (std::is_pointer_v<T>)
    return TypeKind::pointer;
  else if constexpr (std::is_floating_point_v<T>)
    return TypeKind::floating;
  else if constexpr (std::is_enum_v<T>)
    return hostKind<std::underlying_type_t<T>>();
  else if constexpr (std::is_integral_v<T>)
    return std::is_signed_v<T> ? TypeKind::signedInteger : TypeKind::unsignedInteger;
  else if constexpr (std::is_array_v<T>)
    return TypeKind::array;
  else
    return TypeKind::record;
}

template <class T>
constexpr HostType hostType() {
  static_assert(!std::is_reference_v<T>,
                "kernel parameters are values and pointers; references do not cross to a device");
  static_assert(std::is_trivially_copyable_v<T>, "kernel parameters must be trivially copyable");
  static_assert(!std::is_same_v<std::remove_cv_t<T>, long double>, "long double differs between host and device");
  static_assert(!std::is_same_v<std::remove_cv_t<T>, wchar_t>, "wchar_t differs between host and device");
  HostType out{hostKind<std::remove_cv_t<T>>(), sizeof(T), alignof(T), false, TypeKind::opaque, 0};
  if constexpr (std::is_pointer_v<T>) {
    using P = std::remove_cv_t<std::remove_pointer_t<T>>;
    if constexpr (!std::is_void_v<P> && !std::is_function_v<P>) {
      out.pointeeKnown = true;
      out.pointeeKind = hostKind<P>();
      if constexpr (requires { sizeof(P); }) out.pointeeSize = sizeof(P);
    }
  }
  return out;
}

/// Errors: ArgumentMismatch, naming the parameter and both types.
[[nodiscard]] LATHE_API Result<void> checkSignature(const EntryPoint& entry, std::span<const HostType> types);
}  // namespace detail

/// A kernel whose C++ parameter types were checked against the image when it was bound.
template <class... Args>
class Kernel {
 public:
  explicit Kernel(RawKernel raw) : raw_(std::move(raw)) {}
  [[nodiscard]] const EntryPoint& entry() const noexcept { return raw_.entry(); }
  /// Errors: as RawKernel::resources().
  [[nodiscard]] Result<ResourceUse> resources() const { return raw_.resources(); }
  /// Queues one launch. Errors: as RawKernel::launch(), except ArgumentMismatch, which kernel() found.
  [[nodiscard]] Result<void> operator()(const LaunchOptions& options, Args... args) const {
    const std::array<const void*, sizeof...(Args)> pointers = {static_cast<const void*>(&args)...};
    return raw_.launch(options, pointers);
  }

 private:
  RawKernel raw_;
};

/// Code loaded on one device. Copies share it; it is unloaded with the last copy and the last kernel bound from it.
class LATHE_API Module {
 public:
  [[nodiscard]] const Image& image() const noexcept;
  /// Errors: UnknownKernel, with the nearest names.
  [[nodiscard]] Result<RawKernel> rawKernel(std::string_view name) const;
  /// Errors: UnknownKernel, ArgumentMismatch.
  template <class... Args>
  [[nodiscard]] Result<Kernel<Args...>> kernel(std::string_view name) const {
    auto raw = rawKernel(name);
    if (!raw) return std::move(raw).error();
    static constexpr std::array<detail::HostType, sizeof...(Args)> types = {detail::hostType<Args>()...};
    if (auto fits = detail::checkSignature(raw->entry(), types); !fits) return std::move(fits).error();
    return Kernel<Args...>(*std::move(raw));
  }
  /// A C function that the code defines, of host code only: one that runs a kernel, or an exported one
  /// (docs/objects.md). It may be called while this module, a copy of it or a kernel of it lives. Nobody checks that it
  /// is an F. Errors: UndefinedFunction.
  template <class F>
  [[nodiscard]] Result<F*> function(std::string_view name) const {
    auto address = functionAddress(name);
    if (!address) return std::move(address).error();
    return reinterpret_cast<F*>(*address);
  }
  /// Device address and size of the global variable called `name` (by name, else by symbol). Errors: InvalidArgument
  /// (no such global, with the nearest names).
  [[nodiscard]] Result<std::pair<void*, std::size_t>> global(std::string_view name) const;

 private:
  friend class Device;
  [[nodiscard]] Result<void*> functionAddress(std::string_view name) const;
  std::shared_ptr<detail::LoadedModule> module_;
};

/// One device. A cheap handle: copies share it. Safe to use from any number of threads.
class LATHE_API Device {
 public:
  /// `runtime`: one of runtimes(), or of a plugin (<lathe/sdk/runtime.h>). Errors: DeviceNotFound, DriverMissing,
  /// DriverTooOld, InvalidArgument (unknown runtime).
  [[nodiscard]] static Result<Device> open(std::string_view runtime = "cpu", int index = 0);
  /// Every device of every runtime that answers; never fails.
  [[nodiscard]] static std::vector<DeviceInfo> list();
  /// The runtimes built in: "cpu", "cuda", "hip", ….
  [[nodiscard]] static std::vector<std::string> runtimes();

  [[nodiscard]] const DeviceInfo& info() const noexcept;
  /// Errors: IncompatibleDevice, DriverTooOld, ImageCorrupt, OutOfDeviceMemory.
  [[nodiscard]] Result<Module> load(const Image& image) const;
  /// Errors: OutOfDeviceMemory.
  [[nodiscard]] Result<Memory> allocateBytes(std::size_t bytes) const;
  template <class T>
  [[nodiscard]] Result<Buffer<T>> allocate(std::size_t count) const {
    auto memory = allocateArray(count, sizeof(T));
    if (!memory) return std::move(memory).error();
    return Buffer<T>(*std::move(memory));
  }
  /// Errors: OutOfHostMemory, OutOfDeviceMemory, DriverError.
  [[nodiscard]] Result<Stream> createStream() const;
  /// Waits for all work on the device. Errors: DeviceFault, DriverError.
  [[nodiscard]] Result<void> synchronize() const;
  /// Gives what kernels print on this device to `sink` instead of the standard output, one or more lines at a time; an
  /// empty function undoes it. It is called from any thread, from one at a time, and must not use the device. Kernels
  /// with a bare entry ABI on a GPU print through the vendor's driver, to the standard output.
  void setPrintSink(std::function<void(std::string_view text)> sink) const;

 private:
  [[nodiscard]] Result<Memory> allocateArray(std::size_t count, std::size_t elementBytes) const;
  std::shared_ptr<detail::DeviceDriver> driver_;
};

/// Loads host code that was compiled earlier (`lathe compile --emit object` or `shared`) on device "cpu": a relocatable
/// object by Lathe's own loader, a shared object by the system's. Its kernels launch on all cores like those of any
/// image. Errors: FileUnreadable, ImageCorrupt (damaged, or not made by Lathe), ImageVersion, IncompatibleDevice
/// (another processor's), UndefinedFunction, OutOfHostMemory.
[[nodiscard]] LATHE_API Result<Module> loadObject(const std::filesystem::path& path);

}  // namespace lathe
