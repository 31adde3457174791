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

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lathe/export.h>
#include <lathe/fat_image.h>
#include <lathe/image.h>
#include <lathe/result.h>
#include <lathe/runtime/graph.h>
#include <lathe/runtime/host_symbols.h>
#include <lathe/runtime/kernel.h>
#include <lathe/runtime/memory.h>
#include <lathe/runtime/stream.h>
#include <lathe/runtime/tensor_map.h>
#include <lathe/runtime/texture.h>

namespace lathe {

namespace detail {
class DeviceDriver;
class LoadedModule;
}  // namespace detail

struct PublicKey;

/// Limits of a device that a program may move (Device::setLimit()).
enum class DeviceLimit : std::uint8_t {
  stackBytes,  ///< of one item, for what no compiler can count: recursion and calls by pointers
  heapBytes,   ///< for `malloc` and `new` in kernels; before the first kernel that uses them is loaded
  printBytes   ///< for what kernels print between two waits
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
  /// The device of a context that somebody else made with the vendor's calls (a CUcontext of cuCtxCreate()), and
  /// destroys after the object and all that is made of it: memory, streams and modules of both serve both. Contexts
  /// that NVIDIA's runtime and PyTorch use are those of open(). A context adopted already is shared. Errors: as open();
  /// Unsupported (the runtime has no such contexts), InvalidArgument (null).
  [[nodiscard]] static Result<Device> adopt(std::string_view runtime, void* nativeContext);
  /// Every device of the built-in runtimes that answer and run kernels: none of `null` and `bpf`. Opens each. Never
  /// fails.
  [[nodiscard]] static std::vector<DeviceInfo> list();
  /// The names of the built-in runtimes: "cpu", "cuda", "hip", ….
  [[nodiscard]] static std::vector<std::string> runtimes();

  [[nodiscard]] const DeviceInfo& info() const noexcept;
  /// Loads the code that fits this device. Errors: IncompatibleDevice, DriverTooOld, ImageCorrupt, OutOfDeviceMemory,
  /// DriverError; on the CPU also UndefinedFunction, Unsupported and OutOfHostMemory.
  [[nodiscard]] Result<Module> load(const Image& image) const;
  /// The same, with what the program gives to code that leaves functions and variables undefined (LATHE_IMPORT); what
  /// is in `symbols` beside that does not matter. Errors: as load(); UndefinedFunction, with everything that is
  /// missing; ArgumentMismatch, with every function and variable that is of another kind, type or size in the code.
  [[nodiscard]] Result<Module> load(const Image& image, const HostSymbols& symbols) const;
  /// Loads the first of FatImage::candidates() that this device takes; if there is none, what the compiler makes of
  /// portable IR in it, where the compiler's library is installed. Module::image() is the one. Errors:
  /// IncompatibleDevice, with what each candidate was refused for; OutOfDeviceMemory, OutOfHostMemory; ImageCorrupt.
  [[nodiscard]] Result<Module> load(const FatImage& images) const;
  /// The same, with what the program gives to each. Errors: as load() of both.
  [[nodiscard]] Result<Module> load(const FatImage& images, const HostSymbols& symbols) const;
  /// The same, if one of `trusted` signed all of it (<lathe/signature.h>). Errors: those of verify(), and of load().
  [[nodiscard]] Result<Module> load(const FatImage& images, std::span<const PublicKey> trusted) const;
  /// Memory with undefined contents. Errors: OutOfDeviceMemory, OutOfHostMemory (pinned), DeviceFault (an earlier
  /// kernel failed), Unsupported (managed memory, where the device has none), InvalidArgument (borrowed), DriverError.
  [[nodiscard]] Result<Memory> allocateBytes(std::size_t bytes, MemoryKind kind = MemoryKind::device) const;
  /// Memory for `count` T. Errors: as allocateBytes().
  template <class T>
  [[nodiscard]] Result<Buffer<T>> allocate(std::size_t count, MemoryKind kind = MemoryKind::device) const {
    auto memory = allocateArray(count, sizeof(T), kind);
    if (!memory) return std::move(memory).error();
    return Buffer<T>(*std::move(memory));
  }
  /// Memory that somebody else owns, as an object to copy from and to: of the vendor's own calls, or of a library that
  /// shares the device (the CUDA runtime's context and PyTorch's is the one that "cuda" uses). It must outlive the
  /// object.
  [[nodiscard]] Memory borrow(void* address, std::size_t bytes) const;
  /// The same as `count` T.
  template <class T>
  [[nodiscard]] Buffer<T> borrow(T* address, std::size_t count) const {
    return Buffer<T>(borrow(static_cast<void*>(address), count * sizeof(T)));
  }
  /// Texels with undefined contents. Errors: InvalidArgument (the shape makes no sense, or is larger than the device's
  /// arrays), OutOfDeviceMemory, Unsupported, DriverError.
  [[nodiscard]] Result<TexelArray> createArray(const ArrayShape& shape) const;
  /// An object by which kernels read `array`, which is of this device. Errors: InvalidArgument (the sampling makes no
  /// sense for it), OutOfDeviceMemory, DriverError.
  [[nodiscard]] Result<TextureObject> createTexture(const TexelArray& array, const Sampling& sampling = {}) const;
  /// The same of an image in device memory, which must outlive the object. Errors: as the other.
  [[nodiscard]] Result<TextureObject> createTexture(const Memory& memory, const PlainImage& image,
                                                    const Sampling& sampling = {}) const;
  /// An object by which kernels read and write one level of an array with ArrayShape::surface. Errors: as
  /// createTexture().
  [[nodiscard]] Result<TextureObject> createSurface(const TexelArray& array, std::uint32_t level = 0) const;
  /// The encoding of a tensor in `memory`, from its first byte on, for copies of tiles by hardware. Errors:
  /// InvalidArgument (a rule of TensorShape is broken, the tensor does not lie within the memory), Unsupported (the
  /// device has no such copies, or its driver is older than them), DriverError.
  [[nodiscard]] Result<TensorMap> createTensorMap(const Memory& memory, const TensorShape& shape) const;
  /// A new queue of work. Errors: OutOfHostMemory, OutOfDeviceMemory, DriverError.
  [[nodiscard]] Result<Stream> createStream(const StreamOptions& options = {}) const;
  /// A stream that somebody else made with the vendor's calls (CUstream, cudaStream_t, hipStream_t), and destroys after
  /// the object. Errors: Unsupported (the runtime has no such handles), OutOfHostMemory.
  [[nodiscard]] Result<Stream> adoptStream(void* nativeHandle) const;
  /// An empty graph. Errors: OutOfHostMemory, DriverError.
  [[nodiscard]] Result<Graph> createGraph() const;
  /// True where kernels of this device can use the memory of `other` after reach(). Errors: DriverError.
  [[nodiscard]] Result<bool> canReach(const Device& other) const;
  /// Lets kernels of this device use the memory of `other`, another device of the same runtime. Copies between the two
  /// (Stream::copy()) go the short way from then on; they need no leave. Errors: Unsupported (no way leads there),
  /// InvalidArgument (of another runtime), DriverError.
  [[nodiscard]] Result<void> reach(const Device& other) const;
  /// Errors: Unsupported (this runtime has no such limit), DriverError.
  [[nodiscard]] Result<std::size_t> limit(DeviceLimit limit) const;
  /// Sets the limit for kernels that are launched from now on; the device may round up. Errors: as limit(), and
  /// InvalidArgument (more than the device has).
  [[nodiscard]] Result<void> setLimit(DeviceLimit limit, std::size_t bytes) const;
  /// Waits for all work on the device. Errors: DeviceFault, CheckFailed, OutOfHostMemory, DriverError.
  [[nodiscard]] Result<void> synchronize() const;
  /// Gives what kernels print on this device to `sink` instead of the standard output, one or more lines at a time; an
  /// empty function undoes it. It is called from any thread, from one at a time, and must not use the device. Kernels
  /// with a bare entry ABI on a GPU print through the vendor's driver, to the standard output.
  void setPrintSink(std::function<void(std::string_view text)> sink) const;

 private:
  friend class EmbeddedImages;
  [[nodiscard]] Result<Memory> allocateArray(std::size_t count, std::size_t elementBytes, MemoryKind kind) const;
  std::shared_ptr<detail::DeviceDriver> driver_;
};

/// Loads host code that was compiled earlier (`lathe compile --emit object` or `shared`) on device "cpu": a relocatable
/// object by Lathe's own loader, a shared object by the system's. Its kernels launch on all cores like those of any
/// image. Errors: FileUnreadable, ImageCorrupt (damaged, or not made by Lathe), ImageVersion, IncompatibleDevice
/// (another processor's), UndefinedFunction, Unsupported, OutOfHostMemory. Thread-safe.
[[nodiscard]] LATHE_API Result<Module> loadObject(const std::filesystem::path& path);
/// The same of the file's bytes, which are copied. Errors: as above, without FileUnreadable.
[[nodiscard]] LATHE_API Result<Module> loadObject(std::span<const std::byte> bytes);
/// The same of a relocatable object, with what the program gives to it. Errors: as the others; ArgumentMismatch, as
/// Device::load(); Unsupported: a shared object takes from the process what it imports.
[[nodiscard]] LATHE_API Result<Module> loadObject(const std::filesystem::path& path, const HostSymbols& symbols);
/// The same of the file's bytes. Errors: as above, without FileUnreadable.
[[nodiscard]] LATHE_API Result<Module> loadObject(std::span<const std::byte> bytes, const HostSymbols& symbols);

}  // namespace lathe
