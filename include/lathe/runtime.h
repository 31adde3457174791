// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running images: devices, memory, streams, modules and kernels. Link `lathe::runtime`; no LLVM comes with it.
//
//   auto device = lathe::Device::open("cuda");
//   auto module = device->load(image);
//   auto saxpy  = module->kernel<unsigned, float, const float*, float*>("saxpy");
//   auto x      = device->allocate<float>(n), y = device->allocate<float>(n);
//   auto queued = (*saxpy)({.grid = {(n + 255) / 256}, .group = {256}}, n, 2.0f, x->data(), y->data());
//
// Each of these is a Result, to be tested before it is used. Devices, modules, kernels, memory and buffers may be used
// by any number of threads at once, as long as none moves or assigns them; a Stream by one thread at a time. Each
// object keeps what it was made from, so the order in which they go does not matter.
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
#include <lathe/fat_image.h>
#include <lathe/image.h>
#include <lathe/result.h>

namespace lathe {

namespace detail {
class DeviceDriver;
class LoadedModule;
class LoadedKernel;
class EventDriver;
class StreamDriver;
}  // namespace detail

struct PublicKey;

/// Three extents; an extent that is not given is 1.
struct Extent3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
  [[nodiscard]] constexpr std::uint64_t count() const noexcept { return std::uint64_t{x} * y * z; }
  bool operator==(const Extent3&) const = default;
};

class Stream;

/// The shape of one launch.
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

/// The properties and limits of a device. Sizes in bytes.
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
  /// The device address; null for 0 bytes; on the CPU a plain pointer, 64-byte aligned or better.
  [[nodiscard]] void* address() const noexcept { return address_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// Copies `bytes` bytes to `offset` and waits. Errors: InvalidArgument (range), DeviceFault (an earlier kernel
  /// failed), DriverError.
  [[nodiscard]] Result<void> upload(const void* from, std::size_t bytes, std::size_t offset = 0);
  /// Waits for the kernels before it and copies `bytes` bytes from `offset`. Errors: InvalidArgument (range); of an
  /// earlier kernel DeviceFault, CheckFailed and OutOfHostMemory; DriverError.
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

/// An array of `size()` T in device memory; owned, as Memory is. Move-only.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device buffers hold trivially copyable types");

 public:
  Buffer() = default;
  explicit Buffer(Memory memory) : memory_(std::move(memory)) {}
  [[nodiscard]] T* data() const noexcept { return static_cast<T*>(memory_.address()); }
  [[nodiscard]] std::size_t size() const noexcept { return memory_.bytes() / sizeof(T); }
  /// Copies to the elements from `first` on. Errors: as Memory::upload().
  [[nodiscard]] Result<void> upload(std::span<const T> from, std::size_t first = 0) {
    return memory_.upload(from.data(), from.size_bytes(), offsetOf(first));
  }
  /// Copies from the elements from `first` on. Errors: as Memory::download().
  [[nodiscard]] Result<void> download(std::span<T> to, std::size_t first = 0) const {
    return memory_.download(to.data(), to.size_bytes(), offsetOf(first));
  }
  /// The whole buffer as a vector. Errors: as download().
  [[nodiscard]] Result<std::vector<T>> read() const {
    std::vector<T> out(size());
    if (auto done = download(out); !done) return std::move(done).error();
    return out;
  }
  /// Sets every byte to 0. Errors: as Memory::fill().
  [[nodiscard]] Result<void> zero() { return memory_.fill(0); }

 private:
  /// The offset in bytes of element `first`. Beyond the end it is one that no buffer has: the product could wrap
  /// around.
  [[nodiscard]] std::size_t offsetOf(std::size_t first) const noexcept {
    return first <= size() ? first * sizeof(T) : SIZE_MAX;
  }
  Memory memory_;
};

/// A point in the work of a stream, made by Stream::record(). Move-only. Keeps its device open, and may outlive its
/// stream. Any number of threads may use it.
class LATHE_API Event {
 public:
  Event(Event&&) noexcept;
  Event& operator=(Event&&) noexcept;
  ~Event();
  /// Waits until the work before the point is done; on the CPU, runs here what has not begun. Errors: DeviceFault,
  /// DriverError. What kernels reported on the CPU comes with Stream::synchronize().
  [[nodiscard]] Result<void> synchronize() const;
  /// Waits for both points, and returns the milliseconds that the device took from this one to `later`. Errors:
  /// InvalidArgument (`later` is of another device), DeviceFault, DriverError.
  [[nodiscard]] Result<double> elapsedUntil(const Event& later) const;

 private:
  friend class Stream;
  Event() = default;
  std::shared_ptr<detail::DeviceDriver> driver_;
  std::unique_ptr<detail::EventDriver> event_;
};

/// An in-order queue of work, used by one thread at a time. It is ordered with the default stream and with copies: what
/// comes later there waits for what was queued here before. Move-only. Work that is still queued when the stream is
/// destroyed is done, but its errors are lost: call synchronize() first.
///
/// On the CPU a thread that waits for work that has not begun runs it: synchronize(), copies, fills, freeing memory and
/// launches on the default stream may run queued kernels on the calling thread, and need the stack that those do.
class LATHE_API Stream {
 public:
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  ~Stream();
  /// Waits for everything queued; on the CPU, runs here what has not begun. Errors: DeviceFault, CheckFailed,
  /// OutOfHostMemory, DriverError.
  [[nodiscard]] Result<void> synchronize();
  /// Marks the point behind what is queued here. Errors: DeviceFault, OutOfHostMemory, DriverError.
  [[nodiscard]] Result<Event> record();
  /// Lets what is queued here from now on begin only when the event's point is reached. Returns at once. Errors:
  /// InvalidArgument (the event is of another device), DeviceFault, OutOfHostMemory, DriverError.
  [[nodiscard]] Result<void> wait(const Event& event);
  /// Begins to measure what is queued here from now on. Errors: DeviceFault, OutOfHostMemory, DriverError.
  [[nodiscard]] Result<void> recordStart();
  /// Waits, and returns the milliseconds that the device took for what was queued here since recordStart(). Errors:
  /// InvalidArgument (nothing was begun), DeviceFault, OutOfHostMemory, DriverError. What kernels reported on the CPU
  /// comes with synchronize().
  [[nodiscard]] Result<double> elapsedSinceStart();
  /// The runtime's own handle (CUstream, hipStream_t), for use with the vendor's API; null on the CPU.
  [[nodiscard]] void* nativeHandle() const noexcept;

 private:
  friend class Device;
  friend class RawKernel;
  Stream() = default;
  std::shared_ptr<detail::DeviceDriver> driver_;
  std::unique_ptr<detail::StreamDriver> stream_;
  std::unique_ptr<detail::EventDriver> start_;
};

/// A kernel with untyped arguments, for tools and language bindings: only their number is checked. Copies share the
/// loaded kernel.
class LATHE_API RawKernel {
 public:
  [[nodiscard]] const EntryPoint& entry() const noexcept;
  /// Queues one launch. `arguments[i]` points to the value of parameter i, entry().parameters[i].type.size bytes, which
  /// are copied. Returns when the launch is queued, on the CPU's default stream when it is done. Errors: LaunchInvalid,
  /// ArgumentMismatch (their number), LaunchFailed, OutOfHostMemory, OutOfDeviceMemory; of a launch that is done, and
  /// of an earlier one that ended a GPU's context, DeviceFault and CheckFailed.
  [[nodiscard]] Result<void> launch(const LaunchOptions& options, std::span<const void* const> arguments) const;
  /// The job that compiles this kernel for launches like one: of the same group size, with the values of its scalars
  /// and pointers as aligned (docs/tool.md, "Specialising"). `job` is what the kernel was compiled by; the memory
  /// behind the pointers is not read. Code of that job refuses other launches. Errors: ArgumentMismatch (their number).
  [[nodiscard]] Result<Job> specialised(Job job, const LaunchOptions& options,
                                        std::span<const void* const> arguments) const;
  /// The resources that the loaded code uses, as the driver reports it. Errors: DriverError.
  [[nodiscard]] Result<ResourceUse> resources() const;

 private:
  friend class Module;
  std::shared_ptr<detail::LoadedKernel> kernel_;
};

namespace detail {
/// A host type as bind-time checks see it.
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
  /// Queues one launch. Errors: as RawKernel::launch(), except ArgumentMismatch, which Module::kernel() finds.
  [[nodiscard]] Result<void> operator()(const LaunchOptions& options, Args... args) const {
    const std::array<const void*, sizeof...(Args)> pointers = {static_cast<const void*>(&args)...};
    return raw_.launch(options, pointers);
  }
  /// As RawKernel::specialised().
  [[nodiscard]] Result<Job> specialised(Job job, const LaunchOptions& options, Args... args) const {
    const std::array<const void*, sizeof...(Args)> pointers = {static_cast<const void*>(&args)...};
    return raw_.specialised(std::move(job), options, pointers);
  }

 private:
  RawKernel raw_;
};

/// Code loaded on one device. Copies share it; it is unloaded with the last copy and the last kernel bound from it.
class LATHE_API Module {
 public:
  [[nodiscard]] const Image& image() const noexcept;
  /// The kernel of that name (Image::entry()). Errors: UnknownKernel, with the nearest names; Unsupported (it expects a
  /// state that this runtime does not give); ImageCorrupt; DriverError.
  [[nodiscard]] Result<RawKernel> rawKernel(std::string_view name) const;
  /// The same with its parameter types compared with the image's: kinds and sizes, of pointers those of the pointees.
  /// Errors: as rawKernel(), ArgumentMismatch.
  template <class... Args>
  [[nodiscard]] Result<Kernel<Args...>> kernel(std::string_view name) const {
    auto raw = rawKernel(name);
    if (!raw) return std::move(raw).error();
    static constexpr std::array<detail::HostType, sizeof...(Args)> types = {detail::hostType<Args>()...};
    if (auto fits = detail::checkSignature(raw->entry(), types); !fits) return std::move(fits).error();
    return Kernel<Args...>(*std::move(raw));
  }
  /// A C function that the code defines, of host code only: one that runs a kernel, or an exported one
  /// (docs/objects.md). It may be called while this module, a copy of it or a kernel of it lives. Its type is not
  /// checked against F. Errors: UndefinedFunction.
  template <class F>
  [[nodiscard]] Result<F*> function(std::string_view name) const {
    auto address = functionAddress(name);
    if (!address) return std::move(address).error();
    return reinterpret_cast<F*>(*address);
  }
  /// Device address and size in bytes of the global variable called `name` (by name, else by symbol); the module's.
  /// Errors: InvalidArgument (no such global, with the nearest names), ImageCorrupt (the code lacks it), DriverError.
  [[nodiscard]] Result<std::pair<void*, std::size_t>> global(std::string_view name) const;

 private:
  friend class Device;
  [[nodiscard]] Result<void*> functionAddress(std::string_view name) const;
  std::shared_ptr<detail::LoadedModule> module_;
};

/// One device. A cheap handle: copies share it. Safe to use from any number of threads.
class LATHE_API Device {
 public:
  /// Opens device number `index`, from 0, of a runtime: one of runtimes(), or of a plugin (<lathe/sdk/runtime.h>). A
  /// device that is open already is shared. Errors: DeviceNotFound, DriverMissing, DriverTooOld, DriverError,
  /// PluginInvalid, InvalidArgument (unknown runtime; an environment variable that makes no sense).
  [[nodiscard]] static Result<Device> open(std::string_view runtime = "cpu", int index = 0);
  /// Every device of the built-in runtimes that answer and run kernels: none of `null` and `bpf`. Opens each. Never fails.
  [[nodiscard]] static std::vector<DeviceInfo> list();
  /// The names of the built-in runtimes: "cpu", "cuda", "hip", ….
  [[nodiscard]] static std::vector<std::string> runtimes();

  [[nodiscard]] const DeviceInfo& info() const noexcept;
  /// Loads the code that fits this device. Errors: IncompatibleDevice, DriverTooOld, ImageCorrupt, OutOfDeviceMemory,
  /// DriverError; on the CPU also UndefinedFunction, Unsupported and OutOfHostMemory.
  [[nodiscard]] Result<Module> load(const Image& image) const;
  /// Loads the first of FatImage::candidates() that this device takes; if there is none, what the compiler makes of
  /// portable IR in it, where the compiler's library is installed. Module::image() is the one. Errors: IncompatibleDevice, with what each candidate was refused for; OutOfDeviceMemory, OutOfHostMemory; ImageCorrupt.
  [[nodiscard]] Result<Module> load(const FatImage& images) const;
  /// The same, if one of `trusted` signed all of it (<lathe/signature.h>). Errors: those of verify(), and of load().
  [[nodiscard]] Result<Module> load(const FatImage& images, std::span<const PublicKey> trusted) const;
  /// Memory with undefined contents. Errors: OutOfDeviceMemory, DeviceFault (an earlier kernel failed), DriverError.
  [[nodiscard]] Result<Memory> allocateBytes(std::size_t bytes) const;
  /// Memory for `count` T. Errors: as allocateBytes().
  template <class T>
  [[nodiscard]] Result<Buffer<T>> allocate(std::size_t count) const {
    auto memory = allocateArray(count, sizeof(T));
    if (!memory) return std::move(memory).error();
    return Buffer<T>(*std::move(memory));
  }
  /// A new queue of work. Errors: OutOfHostMemory, OutOfDeviceMemory, DriverError.
  [[nodiscard]] Result<Stream> createStream() const;
  /// Waits for all work on the device. Errors: DeviceFault, CheckFailed, OutOfHostMemory, DriverError.
  [[nodiscard]] Result<void> synchronize() const;
  /// Gives what kernels print on this device to `sink` instead of the standard output, one or more lines at a time; an
  /// empty function undoes it. It is called from any thread, from one at a time, and must not use the device. Kernels
  /// with a bare entry ABI on a GPU print through the vendor's driver, to the standard output.
  void setPrintSink(std::function<void(std::string_view text)> sink) const;

 private:
  friend class EmbeddedImages;
  [[nodiscard]] Result<Memory> allocateArray(std::size_t count, std::size_t elementBytes) const;
  std::shared_ptr<detail::DeviceDriver> driver_;
};

/// Loads host code that was compiled earlier (`lathe compile --emit object` or `shared`) on device "cpu": a relocatable
/// object by Lathe's own loader, a shared object by the system's. Its kernels launch on all cores like those of any
/// image. Errors: FileUnreadable, ImageCorrupt (damaged, or not made by Lathe), ImageVersion, IncompatibleDevice
/// (another processor's), UndefinedFunction, Unsupported, OutOfHostMemory. Thread-safe.
[[nodiscard]] LATHE_API Result<Module> loadObject(const std::filesystem::path& path);
/// The same of the file's bytes, which are copied. Errors: as above, without FileUnreadable.
[[nodiscard]] LATHE_API Result<Module> loadObject(std::span<const std::byte> bytes);

}  // namespace lathe
