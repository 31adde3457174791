// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL behind GpuApi. The library is opened when the first device is asked for.
#pragma once

#include <memory>
#include <span>

#include "core/support/dynamic_library.h"
#include "runtimes/common/gpu/gpu_api.h"
#include "runtimes/opencl/opencl_devices.h"

namespace lathe::detail {

class OpenClApi final : public GpuApi {
 public:
  /// Opens the first of `libraries` that is there and looks for devices. Errors: DriverMissing, DriverTooOld (a
  /// function is not there).
  [[nodiscard]] static Result<std::unique_ptr<const OpenClApi>> open(std::span<const char* const> libraries);

  /// Errors: DeviceNotFound, with every device that cannot be used and the reason.
  [[nodiscard]] Result<int> deviceCount() const;
  [[nodiscard]] Result<DeviceInfo> describe(int index) const;

  // A handle of a context is an OpenClContext, of a module an OpenClProgram, of a function an OpenClKernel, of a stream
  // an OpenClQueue, of an event the address of a cl_event. The current context is the thread's.
  [[nodiscard]] Error error(Status status, std::string_view doing) const override;
  Status retainContext(int device, Handle& out) const override;
  Status releaseContext(int device, Handle context) const override;
  Status makeCurrent(Handle context) const override;

  [[nodiscard]] std::vector<const Code*> usableCode(const Image& image, const DeviceInfo& device) const override;
  Status loadModule(Handle& out, const Code& code, unsigned optLevel, std::string& log) const override;
  Status unloadModule(Handle module) const override;
  Status findFunction(Handle& out, Handle module, const EntryPoint& entry, const char* symbol) const override;
  void releaseFunction(Handle function) const noexcept override;
  Status findGlobal(void*& address, std::size_t& bytes, Handle module, const char* symbol) const override;
  Status functionFacts(GpuFunctionFacts& out, Handle function) const override;
  // All of a group's memory may be used by any launch.
  [[nodiscard]] std::uint32_t plainSharedBytes() const noexcept override { return UINT32_MAX; }
  Status allowDynamicShared(Handle, std::uint32_t) const override { return 0; }
  Status launch(Handle function, const LaunchOptions& options, Handle stream,
                const void* const* arguments) const override;

  Status allocate(void*& out, std::size_t bytes) const override;
  Status free(void* address) const override;
  Status allocateHost(void*& out, std::size_t bytes) const override;
  Status allocateManaged(void*& out, std::size_t bytes) const override { return allocateHost(out, bytes); }
  Status freeHost(void* address) const override { return free(address); }
  Status copyIn(void* to, const void* from, std::size_t bytes) const override;
  Status copyOut(void* to, const void* from, std::size_t bytes) const override { return copyIn(to, from, bytes); }
  Status copyOn(void* to, const void* from, std::size_t bytes, CopyKind kind, Handle stream) const override;
  [[nodiscard]] bool queues() const noexcept override { return true; }
  // A stream's handle is Lathe's own, not OpenCL's.
  [[nodiscard]] bool adoptsStreams() const noexcept override { return false; }
  Status fillOn(void* to, std::uint8_t value, std::size_t bytes, Handle stream) const override;
  Status callOn(Handle stream, const HostCall& call) const override;
  Status isDone(bool& out, Handle stream) const override;
  Status copyBlockOn(const BlockCopy& block, CopyKind kind, Handle stream) const override;
  Status fill(void* to, std::uint8_t value, std::size_t bytes) const override;

  Status createStream(Handle& out, int priority) const override;
  Status destroyStream(Handle stream) const override;
  Status synchronizeStream(Handle stream) const override;
  Status synchronizeContext() const override;
  Status createEvent(Handle& out) const override;
  Status destroyEvent(Handle event) const override;
  Status recordEvent(Handle event, Handle stream) const override;
  Status waitForEvent(Handle stream, Handle event) const override;
  Status synchronizeEvent(Handle event) const override;
  Status elapsed(float& milliseconds, Handle from, Handle to) const override;

 private:
  explicit OpenClApi(DynamicLibrary library) : library_(std::move(library)) {}

  DynamicLibrary library_;
  ClFunctions cl_;
  OpenClDevices devices_;
};

}  // namespace lathe::detail
