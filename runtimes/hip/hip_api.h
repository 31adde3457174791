// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD's HIP runtime behind GpuApi. libamdhip64 is opened when the first device is asked for.
#pragma once

#include <memory>
#include <span>

#include "core/support/dynamic_library.h"
#include "runtimes/common/gpu/gpu_api.h"
#include "runtimes/hip/hip_types.h"

namespace lathe::detail {

[[nodiscard]] constexpr HipCopy directionOf(CopyKind kind) noexcept {
  return kind == CopyKind::upload     ? HipCopy::hostToDevice
         : kind == CopyKind::download ? HipCopy::deviceToHost
                                      : HipCopy::deviceToDevice;
}

class HipApi final : public GpuApi {
 public:
  /// Opens the first of `libraries` that is there and starts the runtime. Errors: DriverMissing, DriverTooOld (a
  /// function is not there), DeviceNotFound.
  [[nodiscard]] static Result<std::unique_ptr<const HipApi>> open(std::span<const char* const> libraries);

  [[nodiscard]] Result<int> deviceCount() const;
  [[nodiscard]] Result<DeviceInfo> describe(int index) const;

  [[nodiscard]] Error error(Status status, std::string_view doing) const override;
  // HIP has deprecated contexts: a device is its own, current by number. The handle is that number + 1, as null would
  // be none.
  Status retainContext(int device, Handle& out) const override;
  Status releaseContext(int, Handle) const override { return 0; }
  Status makeCurrent(Handle context) const override;

  [[nodiscard]] std::vector<const Code*> usableCode(const Image& image, const DeviceInfo& device) const override;
  /// HIP compiles nothing when it loads, so it has nothing to log.
  Status loadModule(Handle& out, const Code& code, unsigned, std::string&) const override {
    return ModuleLoadData(&out, code.bytes.data());
  }
  Status unloadModule(Handle module) const override { return ModuleUnload(module); }
  Status findFunction(Handle& out, Handle module, const EntryPoint&, const char* symbol) const override {
    return ModuleGetFunction(&out, module, symbol);
  }
  Status findGlobal(void*& address, std::size_t& bytes, Handle module, const char* symbol) const override {
    return ModuleGetGlobal(&address, &bytes, module, symbol);
  }
  Status functionFacts(GpuFunctionFacts& out, Handle function) const override;
  // All of a group's memory may be used by any launch.
  [[nodiscard]] std::uint32_t plainSharedBytes() const noexcept override { return UINT32_MAX; }
  Status allowDynamicShared(Handle, std::uint32_t) const override { return 0; }
  Status launch(Handle function, const LaunchOptions& options, Handle stream,
                const void* const* arguments) const override;

  Status allocate(void*& out, std::size_t bytes) const override { return Malloc(&out, bytes); }
  Status free(void* address) const override { return Free(address); }
  Status allocateHost(void*& out, std::size_t bytes) const override {
    return HostMalloc(&out, bytes, hostPortable | hostMapped);
  }
  Status freeHost(void* address) const override { return HostFree(address); }
  Status copyIn(void* to, const void* from, std::size_t bytes) const override {
    return MemcpyHtoD(to, const_cast<void*>(from), bytes);
  }
  Status copyOut(void* to, const void* from, std::size_t bytes) const override {
    return MemcpyDtoH(to, const_cast<void*>(from), bytes);
  }
  Status fill(void* to, std::uint8_t value, std::size_t bytes) const override { return MemsetD8(to, value, bytes); }

  Status createStream(Handle& out, int priority) const override {
    return priority != 0 && StreamCreateWithPriority ? StreamCreateWithPriority(&out, 0, priority) : StreamCreate(&out);
  }
  Status destroyStream(Handle stream) const override { return StreamDestroy(stream); }
  Status synchronizeStream(Handle stream) const override { return StreamSynchronize(stream); }
  Status synchronizeContext() const override { return DeviceSynchronize(); }
  Status createEvent(Handle& out) const override { return EventCreate(&out); }
  Status destroyEvent(Handle event) const override { return EventDestroy(event); }
  Status recordEvent(Handle event, Handle stream) const override { return EventRecord(event, stream); }
  Status waitForEvent(Handle stream, Handle event) const override { return StreamWaitEvent(stream, event, 0); }
  Status synchronizeEvent(Handle event) const override { return EventSynchronize(event); }
  Status elapsed(float& milliseconds, Handle from, Handle to) const override {
    return EventElapsedTime(&milliseconds, from, to);
  }

  // Queues and memory: hip_queues.cpp.
  [[nodiscard]] bool queues() const noexcept override {
    return MemcpyHtoDAsync && MemcpyDtoHAsync && MemcpyDtoDAsync && MemsetAsync && LaunchHostFunc && StreamQuery;
  }
  Status copyOn(void* to, const void* from, std::size_t bytes, CopyKind kind, Handle stream) const override;
  Status copyBlockOn(const BlockCopy& block, CopyKind kind, Handle stream) const override;
  Status fillOn(void* to, std::uint8_t value, std::size_t bytes, Handle stream) const override {
    return MemsetAsync(to, value, bytes, stream);
  }
  Status callOn(Handle stream, const HostCall& call) const override {
    return LaunchHostFunc(stream, call.function, call.data);
  }
  Status isDone(bool& out, Handle stream) const override;
  Status allocateManaged(void*& out, std::size_t bytes) const override;
  [[nodiscard]] bool hasPools(int device) const noexcept override;
  Status allocateOn(void*& out, std::size_t bytes, Handle stream) const override {
    return MallocAsync(&out, bytes, stream);
  }
  Status freeOn(void* address, Handle stream) const override { return FreeAsync(address, stream); }
  Status canReach(bool& out, int device, int other) const override;
  Status reach(int other, Handle otherContext) const override;
  Status groupsAtOnce(int& groups, Handle function, std::uint32_t items, std::size_t sharedBytes) const override;
  Status limit(std::size_t& out, DeviceLimit which) const override;
  Status setLimit(DeviceLimit which, std::size_t bytes) const override;

  // Graphs: hip_graphs.cpp.
  [[nodiscard]] bool hasGraphs() const noexcept override;
  Status beginCapture(Handle stream) const override { return StreamBeginCapture(stream, HipCaptureMode::relaxed); }
  Status endCapture(Handle& graph, Handle stream) const override { return StreamEndCapture(stream, &graph); }
  Status createGraph(Handle& graph) const override { return GraphCreate(&graph, 0); }
  Status destroyGraph(Handle graph) const override { return GraphDestroy(graph); }
  Status addKernel(Handle& node, Handle graph, std::span<const Handle> after, Handle function,
                   const LaunchOptions& options, const void* const* arguments) const override;
  Status addCopy(Handle& node, Handle graph, std::span<const Handle> after, void* to, const void* from,
                 std::size_t bytes, CopyKind kind) const override;
  Status addFill(Handle& node, Handle graph, std::span<const Handle> after, void* to, std::uint8_t value,
                 std::size_t bytes) const override;
  Status addCall(Handle& node, Handle graph, std::span<const Handle> after, const HostCall& call) const override;
  Status instantiate(Handle& run, Handle graph) const override {
    return GraphInstantiate(&run, graph, nullptr, nullptr, 0);
  }
  Status destroyRun(Handle run) const override { return GraphExecDestroy(run); }
  Status launchRun(Handle run, Handle stream) const override { return GraphLaunch(run, stream); }
  Status updateKernel(Handle run, Handle node, Handle function, const LaunchOptions& options,
                      const void* const* arguments) const override;

 private:
  explicit HipApi(DynamicLibrary library) : library_(std::move(library)) {}
  /// "gfx942:sramecc+:xnack-"
  Status processorName(std::string& out, int device) const;

  DynamicLibrary library_;
  const char* (*getErrorName_)(HipError) = nullptr;
  const char* (*getErrorString_)(HipError) = nullptr;
  HipError (*getProperties_)(HipDeviceProperties*, int) = nullptr;
  std::size_t archOffset_ = 0;
#define LATHE_HIP(name, parameters) HipError(*name) parameters = nullptr;
#define LATHE_HIP_IF_THERE(name, parameters) LATHE_HIP(name, parameters)
#include "runtimes/hip/hip_functions.def"
};

}  // namespace lathe::detail
