// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's driver behind GpuApi. libcuda is opened when the first device is asked for.
#pragma once

#include <memory>
#include <span>

#include "core/support/dynamic_library.h"
#include "runtimes/common/gpu/gpu_api.h"
#include "runtimes/common/gpu/gpu_textures.h"
#include "runtimes/cuda/driver_types.h"
#include "runtimes/cuda/texture_types.h"

namespace lathe::detail {

class KeptBytes;

class CudaApi final : public GpuApi, private GpuTextures {
 public:
  using Status = GpuApi::Status;
  using Handle = GpuApi::Handle;

  /// Opens the first of `libraries` that is there and starts the driver. Errors: DriverMissing, DriverTooOld (a
  /// function is not there), DeviceNotFound.
  [[nodiscard]] static Result<std::unique_ptr<const CudaApi>> open(std::span<const char* const> libraries);

  [[nodiscard]] Result<int> deviceCount() const;
  [[nodiscard]] Result<DeviceInfo> describe(int index) const;

  [[nodiscard]] Error error(Status status, std::string_view doing) const override;
  Status retainContext(int device, Handle& out) const override { return DevicePrimaryCtxRetain(&out, device); }
  Status releaseContext(int device, Handle) const override { return DevicePrimaryCtxRelease(device); }
  Status makeCurrent(Handle context) const override;
  Status deviceOf(int& device, Handle context) const override {
    const Status status = makeCurrent(context);
    return status == 0 ? CtxGetDevice(&device) : status;
  }

  [[nodiscard]] std::vector<const Code*> usableCode(const Image& image, const DeviceInfo& device) const override;
  Status loadModule(Handle& out, const Code& code, unsigned optLevel, std::string& log) const override;
  Status unloadModule(Handle module) const override { return ModuleUnload(module); }
  Status findFunction(Handle& out, Handle module, const EntryPoint&, const char* symbol) const override {
    return ModuleGetFunction(&out, module, symbol);
  }
  Status findGlobal(void*& address, std::size_t& bytes, Handle module, const char* symbol) const override;
  Status functionFacts(GpuFunctionFacts& out, Handle function) const override;
  [[nodiscard]] std::uint32_t plainSharedBytes() const noexcept override { return 48 * 1024; }
  Status allowDynamicShared(Handle function, std::uint32_t bytes) const override {
    return FuncSetAttribute(function, CuFunctionAttribute::maxDynamicSharedBytes, static_cast<int>(bytes));
  }
  Status launch(Handle function, const LaunchOptions& options, Handle stream,
                const void* const* arguments) const override;

  Status allocate(void*& out, std::size_t bytes) const override;
  Status free(void* address) const override { return MemFree(toDevice(address)); }
  Status allocateHost(void*& out, std::size_t bytes) const override {
    constexpr unsigned portable = 1, mapped = 2;  // CU_MEMHOSTALLOC_PORTABLE, CU_MEMHOSTALLOC_DEVICEMAP
    return MemHostAlloc(&out, bytes, portable | mapped);
  }
  Status freeHost(void* address) const override { return MemFreeHost(address); }
  Status copyIn(void* to, const void* from, std::size_t bytes) const override {
    // It may return when the driver has taken the bytes; streams of others do not wait for the rest.
    const CuResult status = MemcpyHtoD(toDevice(to), from, bytes);
    return status == 0 ? StreamSynchronize(nullptr) : status;
  }
  Status copyOut(void* to, const void* from, std::size_t bytes) const override {
    return MemcpyDtoH(to, toDevice(from), bytes);
  }
  Status fill(void* to, std::uint8_t value, std::size_t bytes) const override {
    return MemsetD8(toDevice(to), value, bytes);
  }

  Status createStream(Handle& out, int priority) const override;
  Status destroyStream(Handle stream) const override { return StreamDestroy(stream); }
  Status synchronizeStream(Handle stream) const override { return StreamSynchronize(stream); }
  Status synchronizeContext() const override { return CtxSynchronize(); }
  Status createEvent(Handle& out) const override { return EventCreate(&out, 0); }
  Status destroyEvent(Handle event) const override { return EventDestroy(event); }
  Status recordEvent(Handle event, Handle stream) const override { return EventRecord(event, stream); }
  Status waitForEvent(Handle stream, Handle event) const override { return StreamWaitEvent(stream, event, 0); }
  Status synchronizeEvent(Handle event) const override { return EventSynchronize(event); }
  Status elapsed(float& milliseconds, Handle from, Handle to) const override {
    return EventElapsedTime(&milliseconds, from, to);
  }

  // Queues and memory: cuda_queues.cpp.
  [[nodiscard]] bool queues() const noexcept override {
    return MemcpyHtoDAsync && MemcpyDtoHAsync && MemcpyAsync && MemsetD8Async && LaunchHostFunc && StreamQuery;
  }
  Status copyOn(void* to, const void* from, std::size_t bytes, CopyKind kind, Handle stream) const override;
  Status copyBlockOn(const BlockCopy& block, CopyKind kind, Handle stream) const override;
  Status fillOn(void* to, std::uint8_t value, std::size_t bytes, Handle stream) const override {
    return MemsetD8Async(toDevice(to), value, bytes, stream);
  }
  Status callOn(Handle stream, const HostCall& call) const override {
    return LaunchHostFunc(stream, call.function, call.data);
  }
  Status isDone(bool& out, Handle stream) const override;
  Status copyWithin(void* to, const void* from, std::size_t bytes) const override;
  Status allocateManaged(void*& out, std::size_t bytes) const override;
  [[nodiscard]] bool hasPools(int device) const noexcept override;
  Status allocateOn(void*& out, std::size_t bytes, Handle stream) const override;
  Status freeOn(void* address, Handle stream) const override { return MemFreeAsync(toDevice(address), stream); }
  Status canReach(bool& out, int device, int other) const override;
  Status reach(int other, Handle otherContext) const override;
  Status groupsAtOnce(int& groups, Handle function, std::uint32_t items, std::size_t sharedBytes) const override;
  Status limit(std::size_t& out, DeviceLimit which) const override;
  Status setLimit(DeviceLimit which, std::size_t bytes) const override;

  [[nodiscard]] const GpuTextures* textures() const noexcept override;
  Status encodeTensorMap(TensorMap& out, void* address, const TensorShape& shape) const override;

  // Graphs: cuda_graphs.cpp.
  [[nodiscard]] bool hasGraphs() const noexcept override { return GraphInstantiate && StreamBeginCapture; }
  Status beginCapture(Handle stream) const override;
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
  Status instantiate(Handle& run, Handle graph) const override { return GraphInstantiate(&run, graph, 0); }
  Status destroyRun(Handle run) const override { return GraphExecDestroy(run); }
  Status launchRun(Handle run, Handle stream) const override { return GraphLaunch(run, stream); }
  Status updateKernel(Handle run, Handle node, Handle function, const LaunchOptions& options,
                      const void* const* arguments) const override;

 private:
  // Modules: cuda_modules.cpp.
  struct JitOptions;
  [[nodiscard]] std::string jitQuestion(const Code& code, unsigned optLevel, const std::string& library) const;
  /// PTX that is linked, with the device's runtime if `library` names it, then loaded, and kept as machine code.
  Status loadLinked(Handle& out, const Code& code, const std::string& library, JitOptions& options,
                    const KeptBytes& kept) const;

  /// What a launch says beside its extents, of kernels alone and in graphs. Returns how many.
  static unsigned launchAttributes(std::span<CuLaunchAttribute> out, const LaunchOptions& options);

  // GpuTextures: cuda_textures.cpp.
  Status createArray(Handle& out, const ArrayShape& shape) const override;
  Status createLevels(Handle& out, const ArrayShape& shape) const override;
  Status destroyArray(Handle array) const override { return ArrayDestroy(array); }
  Status destroyLevels(Handle levels) const override { return MipmappedArrayDestroy(levels); }
  Status levelOf(Handle& array, Handle levels, std::uint32_t level) const override {
    return MipmappedArrayLevel(&array, levels, level);
  }
  Status copyIn(Handle array, const void* from, std::size_t rowBytes, const LevelExtent& extent) const override;
  Status copyOut(void* to, Handle array, std::size_t rowBytes, const LevelExtent& extent) const override;
  Status createTexture(Object& out, Handle array, bool hasLevels, const Sampling& sampling) const override;
  Status createTexture(Object& out, void* address, const PlainImage& image, const Sampling& sampling) const override;
  Status createSurface(Object& out, Handle array) const override;
  Status destroyTexture(Object object) const override { return TexObjectDestroy(object); }
  Status destroySurface(Object object) const override { return SurfObjectDestroy(object); }

  explicit CudaApi(DynamicLibrary library) : library_(std::move(library)) {}
  static CuDevicePointer toDevice(const void* address) { return reinterpret_cast<CuDevicePointer>(address); }

  DynamicLibrary library_;
#define LATHE_CUDA(name, exported, parameters) CuResult(*name) parameters = nullptr;
#define LATHE_CUDA_SINCE(driver, name, exported, parameters) LATHE_CUDA(name, exported, parameters)
#include "runtimes/cuda/driver_functions.def"
};

}  // namespace lathe::detail
