// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver of accelerators, reduced to what Lathe asks of it. Those of CUDA and HIP have the same shape, and OpenCL's
// can be given it; a runtime for one implements this interface call by call, converts its status codes and says which
// code in an image a device can run. gpu_device.cpp does everything else once.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/image.h>
#include <lathe/runtime.h>

#include "runtimes/common/driver.h"

namespace lathe::detail {

class GpuTextures;

/// What a driver says of a loaded function.
struct GpuFunctionFacts {
  int maxItems = 0;
  int registers = 0;
  int sharedBytes = 0;
  int localBytes = 0;
  int constantBytes = 0;
  int textArchitecture = 0;  ///< 0: not told, of this one and the next
  int machineArchitecture = 0;
};

/// Fills `out` by `get(int* value, Attribute which)`, the driver's query, up to its first failure, which it returns.
/// Drivers number the attributes differently; the enumerators have the same names.
template <class Attribute, class Get>
int readFunctionFacts(GpuFunctionFacts& out, const Get& get) {
  int status = 0;
  const auto read = [&](int& value, Attribute which) {
    if (status == 0) status = get(&value, which);
  };
  read(out.maxItems, Attribute::maxThreadsPerBlock);
  read(out.registers, Attribute::registers);
  read(out.sharedBytes, Attribute::sharedBytes);
  read(out.localBytes, Attribute::localBytes);
  read(out.constantBytes, Attribute::constBytes);
  // Libraries need not know these.
  if (get(&out.textArchitecture, Attribute::textArchitecture) != 0) out.textArchitecture = 0;
  if (get(&out.machineArchitecture, Attribute::machineArchitecture) != 0) out.machineArchitecture = 0;
  return status;
}

/// A call of the host by a stream: of `function` with `data` when the work in front of it is done, and of `drop` with
/// it where that work failed and the driver says so. `drop` is null where nothing is to be freed.
struct HostCall {
  void (*function)(void*);
  void* data;
  void (*drop)(void*) = nullptr;
};

/// Stateless but for the driver's library; safe from any thread. All but the first group act on the current context.
class GpuApi {
 public:
  using Status = int;    ///< 0 is success with every vendor
  using Handle = void*;  ///< a context, module, function, stream or event

  GpuApi() = default;
  GpuApi(const GpuApi&) = delete;
  GpuApi& operator=(const GpuApi&) = delete;
  virtual ~GpuApi() = default;

  /// The one place where the vendor's codes become Lathe's. `doing` names the failed step: "allocating 64 bytes".
  [[nodiscard]] virtual Error error(Status status, std::string_view doing) const = 0;
  virtual Status retainContext(int device, Handle& out) const = 0;
  virtual Status releaseContext(int device, Handle context) const = 0;
  virtual Status makeCurrent(Handle context) const = 0;
  /// The number of the device that a context of others is of.
  virtual Status deviceOf(int& /*device*/, Handle /*context*/) const { return unsupported; }

  /// The code in `image` that `device` can run, best first.
  [[nodiscard]] virtual std::vector<const Code*> usableCode(const Image& image, const DeviceInfo& device) const = 0;
  /// `optLevel`: 0 to 3, for what the driver still has to assemble. `log` receives what its compiler had to say.
  virtual Status loadModule(Handle& out, const Code& code, unsigned optLevel, std::string& log) const = 0;
  virtual Status unloadModule(Handle module) const = 0;
  /// `entry` describes the arguments of the function, and lives as long as the module.
  virtual Status findFunction(Handle& out, Handle module, const EntryPoint& entry, const char* symbol) const = 0;
  /// For drivers whose functions are owned by whoever found them. No launch of it is being queued.
  virtual void releaseFunction(Handle) const noexcept {}
  virtual Status findGlobal(void*& address, std::size_t& bytes, Handle module, const char* symbol) const = 0;
  virtual Status functionFacts(GpuFunctionFacts& out, Handle function) const = 0;
  /// Shared memory, static plus dynamic, that every launch may use without asking.
  [[nodiscard]] virtual std::uint32_t plainSharedBytes() const noexcept = 0;
  /// Lets launches of `function` use up to `bytes` of dynamic shared memory.
  virtual Status allowDynamicShared(Handle function, std::uint32_t bytes) const = 0;
  virtual Status launch(Handle function, const LaunchOptions& options, Handle stream,
                        const void* const* arguments) const = 0;

  virtual Status allocate(void*& out, std::size_t bytes) const = 0;
  virtual Status free(void* address) const = 0;
  /// Host memory that every device reaches at the same address.
  virtual Status allocateHost(void*& out, std::size_t bytes) const = 0;
  virtual Status freeHost(void* address) const = 0;
  virtual Status copyIn(void* to, const void* from, std::size_t bytes) const = 0;
  virtual Status copyOut(void* to, const void* from, std::size_t bytes) const = 0;
  /// May return before it is done.
  virtual Status fill(void* to, std::uint8_t value, std::size_t bytes) const = 0;

  /// A stream that is ordered with the default one. Lower priorities are preferred; the driver takes the nearest it
  /// has.
  virtual Status createStream(Handle& out, int priority) const = 0;
  virtual Status destroyStream(Handle stream) const = 0;
  virtual Status synchronizeStream(Handle stream) const = 0;
  virtual Status synchronizeContext() const = 0;
  virtual Status createEvent(Handle& out) const = 0;
  virtual Status destroyEvent(Handle event) const = 0;
  virtual Status recordEvent(Handle event, Handle stream) const = 0;
  /// Later work of the stream begins after the event.
  virtual Status waitForEvent(Handle stream, Handle event) const = 0;
  virtual Status synchronizeEvent(Handle event) const = 0;
  virtual Status elapsed(float& milliseconds, Handle from, Handle to) const = 0;

  // What not every driver has. `unsupported` is the status of one that has not.

  static constexpr Status unsupported = INT_MIN;
  /// Copies, fills and calls by streams. `queues()` says whether there are those three.
  [[nodiscard]] virtual bool queues() const noexcept { return false; }
  /// Whether a stream's handle is the vendor's own, so that one that was made elsewhere can be used.
  [[nodiscard]] virtual bool adoptsStreams() const noexcept { return queues(); }
  virtual Status copyOn(void* /*to*/, const void* /*from*/, std::size_t, CopyKind, Handle /*stream*/) const {
    return unsupported;
  }
  /// A rectangular copy, `unsupported` also if it is one of a kind that the driver does not take: it is then made row
  /// by row.
  virtual Status copyBlockOn(const BlockCopy&, CopyKind, Handle /*stream*/) const { return unsupported; }
  virtual Status fillOn(void* /*to*/, std::uint8_t, std::size_t, Handle /*stream*/) const { return unsupported; }
  virtual Status callOn(Handle /*stream*/, const HostCall&) const { return unsupported; }
  virtual Status isDone(bool&, Handle /*stream*/) const { return unsupported; }
  virtual Status copyWithin(void* /*to*/, const void* /*from*/, std::size_t) const { return unsupported; }
  virtual Status allocateManaged(void*&, std::size_t) const { return unsupported; }
  /// Memory in the order of a stream: from the pool of the current device.
  [[nodiscard]] virtual bool hasPools(int /*device*/) const noexcept { return false; }
  virtual Status allocateOn(void*&, std::size_t, Handle /*stream*/) const { return unsupported; }
  virtual Status freeOn(void*, Handle /*stream*/) const { return unsupported; }
  virtual Status canReach(bool&, int /*device*/, int /*other*/) const { return unsupported; }
  /// The current device uses the memory of the other; more than once is no failure.
  virtual Status reach(int /*other*/, Handle /*otherContext*/) const { return unsupported; }
  virtual Status groupsAtOnce(int& /*groups*/, Handle /*function*/, std::uint32_t /*items*/,
                              std::size_t /*shared*/) const {
    return unsupported;
  }
  virtual Status limit(std::size_t&, DeviceLimit) const { return unsupported; }
  virtual Status setLimit(DeviceLimit, std::size_t) const { return unsupported; }
  virtual Status encodeTensorMap(TensorMap&, void* /*address*/, const TensorShape&) const { return unsupported; }

  /// Calls for textures; null: kernels read them in software.
  [[nodiscard]] virtual const GpuTextures* textures() const noexcept { return nullptr; }

  // Graphs. A node begins after those of `after`.
  [[nodiscard]] virtual bool hasGraphs() const noexcept { return false; }
  virtual Status beginCapture(Handle /*stream*/) const { return unsupported; }
  virtual Status endCapture(Handle& /*graph*/, Handle /*stream*/) const { return unsupported; }
  virtual Status createGraph(Handle& /*graph*/) const { return unsupported; }
  virtual Status destroyGraph(Handle /*graph*/) const { return unsupported; }
  virtual Status addKernel(Handle& /*node*/, Handle /*graph*/, std::span<const Handle> /*after*/, Handle /*function*/,
                           const LaunchOptions&, const void* const* /*arguments*/) const {
    return unsupported;
  }
  virtual Status addCopy(Handle& /*node*/, Handle /*graph*/, std::span<const Handle> /*after*/, void* /*to*/,
                         const void* /*from*/, std::size_t, CopyKind) const {
    return unsupported;
  }
  virtual Status addFill(Handle& /*node*/, Handle /*graph*/, std::span<const Handle> /*after*/, void* /*to*/,
                         std::uint8_t, std::size_t) const {
    return unsupported;
  }
  virtual Status addCall(Handle& /*node*/, Handle /*graph*/, std::span<const Handle> /*after*/, const HostCall&) const {
    return unsupported;
  }
  virtual Status instantiate(Handle& /*run*/, Handle /*graph*/) const { return unsupported; }
  virtual Status destroyRun(Handle /*run*/) const { return unsupported; }
  virtual Status launchRun(Handle /*run*/, Handle /*stream*/) const { return unsupported; }
  virtual Status updateKernel(Handle /*run*/, Handle /*node*/, Handle /*function*/, const LaunchOptions&,
                              const void* const* /*arguments*/) const {
    return unsupported;
  }
};

}  // namespace lathe::detail
