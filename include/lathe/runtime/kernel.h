// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are loaded, and launches of them. Module::kernel() binds one (<lathe/runtime.h>).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <lathe/export.h>
#include <lathe/image.h>
#include <lathe/job.h>
#include <lathe/result.h>
#include <lathe/runtime/adapt.h>
#include <lathe/runtime/stream.h>

namespace lathe {

namespace detail {
class LoadedKernel;
}  // namespace detail

/// Three extents; an extent that is not given is 1.
struct Extent3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
  [[nodiscard]] constexpr std::uint64_t count() const noexcept { return std::uint64_t{x} * y * z; }
  bool operator==(const Extent3&) const = default;
};

/// The architectures of loaded code, as its device's library numbers them (CUDA: 90 for sm_90); 0: it does not tell.
struct CodeArchitectures {
  std::uint32_t text = 0;     ///< of what was translated when it was loaded (PTX)
  std::uint32_t machine = 0;  ///< of the code that runs
  bool operator==(const CodeArchitectures&) const = default;
};

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
  /// The kernel may begin before the one in front of it on the stream has ended, and waits itself for what that wrote
  /// (programmatic dependent launch: `cudaGridDependencySynchronize()` in CUDA C++). Devices without it wait as ever.
  bool overlapsPrevious = false;
};

/// A launch that covers `items` items along x in groups of a size that the runtime chooses: the one with which the most
/// items of the kernel run at once (RawKernel::optionsFor()). The kernel tests its index, as the last group may have
/// items beyond.
struct ForItems {
  std::uint64_t items = 0;
  Stream* stream = nullptr;
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
  /// The architectures that the loaded code is for, as the device's library numbers them; 0 where it does not tell.
  [[nodiscard]] CodeArchitectures architectures() const noexcept;
  /// The most items of a group that a launch of this kernel can have on its device.
  [[nodiscard]] std::uint32_t maxItemsPerGroup() const noexcept;
  /// The number of groups of so many items that one multiprocessor runs at once. Errors: LaunchInvalid (a group that is
  /// too large), Unsupported (the runtime does not tell), DriverError.
  [[nodiscard]] Result<std::uint32_t> groupsAtOnce(std::uint32_t groupItems,
                                                   std::uint32_t dynamicSharedBytes = 0) const;
  /// A launch over `items` items along x, in groups of the size with which the most items run at once; of equal ones
  /// the smallest that is no smaller than 128. `dynamicShared` says how many bytes a group of a size needs; none: 0.
  /// Errors: LaunchInvalid (no items; more than a grid can have), DriverError.
  [[nodiscard]] Result<LaunchOptions> optionsFor(
      std::uint64_t items, const std::function<std::uint32_t(std::uint32_t groupItems)>& dynamicShared = {}) const;

 private:
  friend class Module;
  friend class Graph;
  friend class GraphRun;
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
  bool pointeeConst;
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
  HostType out{hostKind<std::remove_cv_t<T>>(), sizeof(T), alignof(T), false, TypeKind::opaque, false, 0};
  if constexpr (std::is_pointer_v<T>) {
    using P = std::remove_cv_t<std::remove_pointer_t<T>>;
    if constexpr (!std::is_void_v<P> && !std::is_function_v<P>) {
      out.pointeeKnown = true;
      out.pointeeConst = std::is_const_v<std::remove_pointer_t<T>>;
      out.pointeeKind = hostKind<P>();
      if constexpr (requires { sizeof(P); }) out.pointeeSize = sizeof(P);
    }
  }
  return out;
}

/// Errors: ArgumentMismatch, naming the parameter and both types.
[[nodiscard]] LATHE_API Result<void> checkSignature(const EntryPoint& entry, std::span<const HostType> types);

/// Arguments that are not all converted to the parameters by the language's own rules.
template <class Given, class Args>
constexpr bool mustAdapt = false;
template <class... Given, class... Args>
  requires(sizeof...(Given) == sizeof...(Args))
constexpr bool mustAdapt<std::tuple<Given...>, std::tuple<Args...>> =
    !(std::is_convertible_v<const Given&, Args> && ...);
template <class Given, class Args>
concept MustAdapt = mustAdapt<Given, Args>;
}  // namespace detail

/// A kernel whose C++ parameter types were checked against the image when it was bound.
template <class... Args>
class Kernel {
 public:
  explicit Kernel(RawKernel raw) : raw_(std::move(raw)) {}
  [[nodiscard]] const RawKernel& raw() const noexcept { return raw_; }
  [[nodiscard]] const EntryPoint& entry() const noexcept { return raw_.entry(); }
  /// Errors: as RawKernel::resources().
  [[nodiscard]] Result<ResourceUse> resources() const { return raw_.resources(); }
  /// Queues one launch. Errors: as RawKernel::launch(), except ArgumentMismatch, which Module::kernel() finds.
  [[nodiscard]] Result<void> operator()(const LaunchOptions& options, Args... args) const {
    return withAdapted([&](auto arguments) { return raw_.launch(options, arguments); }, args...);
  }
  /// The same with arguments that are adapted to the parameters (<lathe/runtime/adapt.h>): buffers to pointers, and so
  /// on.
  template <class... Given>
    requires detail::MustAdapt<std::tuple<Given...>, std::tuple<Args...>>
  [[nodiscard]] Result<void> operator()(const LaunchOptions& options, const Given&... given) const {
    return (*this)(options, adapted<Args>(given)...);
  }
  /// The same over a number of items. Errors: as RawKernel::optionsFor(), and as above.
  template <std::same_as<ForItems> Over, class... Given>  // deduced, so that braces are LaunchOptions
    requires(sizeof...(Given) == sizeof...(Args))
  [[nodiscard]] Result<void> operator()(const Over& over, const Given&... given) const {
    auto options = raw_.optionsFor(over.items);
    if (!options) return std::move(options).error();
    options->stream = over.stream;
    return (*this)(*options, adapted<Args>(given)...);
  }
  /// As RawKernel::specialised().
  [[nodiscard]] Result<Job> specialised(Job job, const LaunchOptions& options, Args... args) const {
    return withAdapted([&](auto arguments) { return raw_.specialised(std::move(job), options, arguments); }, args...);
  }
  /// Calls use(arguments) with what RawKernel::launch() takes for these arguments.
  template <class Use, class... Given>
  static auto with(const Use& use, const Given&... given) {
    return withAdapted(use, adapted<Args>(given)...);
  }

 private:
  template <class Use>
  static auto withAdapted(const Use& use, const Args&... args) {
    const std::array<const void*, sizeof...(Args)> pointers = {static_cast<const void*>(&args)...};
    return use(std::span<const void* const>(pointers));
  }
  RawKernel raw_;
};

}  // namespace lathe
