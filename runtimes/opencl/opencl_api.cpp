// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GpuApi call by call.
#include "runtimes/opencl/opencl_api.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtimes/opencl/opencl_build_log.h"
#include "runtimes/opencl/opencl_context.h"
#include "runtimes/opencl/opencl_demands.h"
#include "runtimes/opencl/opencl_icd.h"
#include "runtimes/opencl/opencl_kernel.h"
#include "runtimes/opencl/opencl_status.h"

namespace lathe::detail {
namespace {

thread_local OpenClContext* current = nullptr;

OpenClQueue* queueOf(GpuApi::Handle stream) {
  return static_cast<OpenClQueue*>(stream);
}
ClEvent& eventOf(GpuApi::Handle event) {
  return *static_cast<ClEvent*>(event);
}

/// Source text in OpenCL C, and no module of SPIR-V.
bool isText(const Code& code) {
  return code.format == "cl";
}

/// Text is built as the version of OpenCL C that it was written for, with the division that kernels expect.
std::string buildOptions(const Code& code, const OpenClDevice& device) {
  if (!isText(code)) return {};
  return fmt::format("-cl-std={}{}", code.arch.starts_with("cl3.0") ? device.newLanguage : "CL1.2",
                     device.exactDivision ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
}

std::string buildLog(const ClFunctions& cl, ClProgram program, ClDevice device) {
  std::size_t bytes = 0;
  if (cl.GetProgramBuildInfo(program, device, ClBuildInfo::log, 0, nullptr, &bytes) != 0) return {};
  std::string out(bytes, '\0');
  if (cl.GetProgramBuildInfo(program, device, ClBuildInfo::log, bytes, out.data(), nullptr) != 0) return {};
  out.resize(out.find_last_not_of('\0') + 1);
  return out;
}

}  // namespace

Result<std::unique_ptr<const OpenClApi>> OpenClApi::open(std::span<const char* const> libraries) {
  auto library = DynamicLibrary::open(libraries);
  if (!library) {
    Error error = std::move(library).error();
    error.message = "opencl: the library " + error.message;
    error.hint =
        "install an OpenCL driver with its loader (Debian: ocl-icd-libopencl1), or set LATHE_OPENCL_LIBRARY to a "
        "loader or a driver, or run on another device";
    error.target = "opencl";
    return error;
  }
  std::unique_ptr<OpenClApi> api(new OpenClApi(*std::move(library)));
  auto entries = openClEntryPoints(api->library_);
  if (!entries) return std::move(entries).error();
  api->cl_ = entries->functions;
  api->devices_ = findOpenClDevices(*entries);
  return std::unique_ptr<const OpenClApi>(std::move(api));
}

Result<int> OpenClApi::deviceCount() const {
  if (!devices_.usable.empty()) return static_cast<int>(devices_.usable.size());
  if (devices_.others.empty())
    return Error{.code = ErrorCode::DeviceNotFound,
                 .message = "opencl: the library finds no driver",
                 .hint = "install the OpenCL driver of a device, or name its library in OCL_ICD_FILENAMES",
                 .target = "opencl"};
  return Error{.code = ErrorCode::DeviceNotFound,
               .message = fmt::format("opencl: no device can be used: {}", fmt::join(devices_.others, "; ")),
               .hint = "install the driver of a device with SPIR-V 1.2 or OpenCL C 1.2 and shared virtual memory",
               .target = "opencl"};
}

Result<DeviceInfo> OpenClApi::describe(int index) const {
  return devices_.usable[static_cast<std::size_t>(index)].info;
}

Error OpenClApi::error(Status status, std::string_view doing) const {
  return clErrorOf(status, doing);
}

GpuApi::Status OpenClApi::retainContext(int device, Handle& out) const {
  ClStatus status = 0;
  out = OpenClContext::create(cl_, devices_.usable[static_cast<std::size_t>(device)], status).release();
  return status;
}

GpuApi::Status OpenClApi::releaseContext(int, Handle context) const {
  if (current == context) current = nullptr;
  delete static_cast<OpenClContext*>(context);
  return 0;
}

GpuApi::Status OpenClApi::makeCurrent(Handle context) const {
  current = static_cast<OpenClContext*>(context);
  return 0;
}

std::vector<const Code*> OpenClApi::usableCode(const Image& image, const DeviceInfo& device) const {
  std::vector<const Code*> out;
  const auto& archs = devices_.usable[static_cast<std::size_t>(device.index)].archs;
  for (const std::string& arch : archs) {
    for (const Code& code : image.code())
      if ((code.format == "spv" || isText(code)) && code.arch == arch) out.push_back(&code);
  }
  return out;
}

GpuApi::Status OpenClApi::loadModule(Handle& out, const Code& code, unsigned, std::string& log) const {
  // No -cl-opt-disable for code at O0: Intel's runtime then has no subgroups, which kernels crash on.
  const OpenClDevice& device = current->device();
  const char* text = reinterpret_cast<const char*>(code.bytes.data());
  const std::size_t bytes = code.bytes.size();
  const OpenClDemands demands = isText(code) ? demandsOfText({text, bytes}) : demandsOfModule(code.bytes);
  const UnmetDemand unmet = unmetDemand(demands, device);
  if (unmet.status != 0) {
    log = unmet.name;
    return unmet.status;
  }
  ClStatus status = 0;
  const ClProgram program = isText(code) ? cl_.CreateProgramWithSource(current->handle(), 1, &text, &bytes, &status)
                                         : device.createProgram(current->handle(), code.bytes.data(), bytes, &status);
  // The code is at fault: nothing else was passed.
  if (status != 0) return status == ClError::invalidValue ? ClError::invalidProgram : status;
  status = cl_.BuildProgram(program, 1, &device.device, buildOptions(code, device).c_str(), nullptr, nullptr);
  if (status == 0) {
    out = new OpenClProgram{*current, program, demands.subgroup};
    return 0;
  }
  log = buildLog(cl_, program, device.device);
  if (isText(code)) log = withKernels(log, {text, bytes});
  (void)cl_.ReleaseProgram(program);
  return status;
}

GpuApi::Status OpenClApi::unloadModule(Handle module) const {
  const std::unique_ptr<OpenClProgram> program(static_cast<OpenClProgram*>(module));
  return cl_.ReleaseProgram(program->program);
}

GpuApi::Status OpenClApi::findFunction(Handle& out, Handle module, const EntryPoint& entry, const char* symbol) const {
  ClStatus status = 0;
  out = OpenClKernel::create(*static_cast<const OpenClProgram*>(module), entry, symbol, status).release();
  return status;
}

void OpenClApi::releaseFunction(Handle function) const noexcept {
  delete static_cast<OpenClKernel*>(function);
}

GpuApi::Status OpenClApi::findGlobal(void*& address, std::size_t& bytes, Handle module, const char* symbol) const {
  // cl_intel_global_variable_pointers, which is not among the published extensions; Intel's drivers have it.
  using Find = ClStatus (*)(ClDevice, ClProgram, const char*, std::size_t*, void**);
  const OpenClDevice& device = current->device();
  const auto find = reinterpret_cast<Find>(
      cl_.GetExtensionFunctionAddressForPlatform(device.platform, "clGetDeviceGlobalVariablePointerINTEL"));
  if (!find) return ClError::noGlobal;
  return find(device.device, static_cast<const OpenClProgram*>(module)->program, symbol, &bytes, &address);
}

GpuApi::Status OpenClApi::functionFacts(GpuFunctionFacts& out, Handle function) const {
  return static_cast<const OpenClKernel*>(function)->facts(out);
}

GpuApi::Status OpenClApi::launch(Handle function, const LaunchOptions& options, Handle stream,
                                 const void* const* arguments) const {
  return static_cast<OpenClKernel*>(function)->launch(options, queueOf(stream), arguments);
}

GpuApi::Status OpenClApi::allocate(void*& out, std::size_t bytes) const {
  return current->allocate(out, bytes, /*coherent=*/false);
}

GpuApi::Status OpenClApi::allocateHost(void*& out, std::size_t bytes) const {
  return current->allocate(out, bytes, /*coherent=*/true);
}

GpuApi::Status OpenClApi::free(void* address) const {
  return current->free(address);
}

GpuApi::Status OpenClApi::copyIn(void* to, const void* from, std::size_t bytes) const {
  return current->copy(to, from, bytes);
}

GpuApi::Status OpenClApi::copyOn(void* to, const void* from, std::size_t bytes, CopyKind, Handle stream) const {
  return current->enqueue(queueOf(stream), [&](ClQueue queue) {
    return cl_.EnqueueSVMMemcpy(queue, /*blocking=*/0, to, from, bytes, 0, nullptr, nullptr);
  });
}

GpuApi::Status OpenClApi::copyBlockOn(const BlockCopy& block, CopyKind kind, Handle stream) const {
  return eachRegular(block, [&](const BlockCopy& part) { return current->copyBlock(part, kind, queueOf(stream)); });
}

GpuApi::Status OpenClApi::callOn(Handle stream, const HostCall& call) const {
  return current->call(queueOf(stream), call);
}

GpuApi::Status OpenClApi::isDone(bool& out, Handle stream) const {
  return current->isDone(out, queueOf(stream));
}

GpuApi::Status OpenClApi::fill(void* to, std::uint8_t value, std::size_t bytes) const {
  return fillOn(to, value, bytes, nullptr);
}

GpuApi::Status OpenClApi::fillOn(void* to, std::uint8_t value, std::size_t bytes, Handle stream) const {
  return current->enqueue(queueOf(stream), [&](ClQueue queue) {
    return cl_.EnqueueSVMMemFill(queue, to, &value, sizeof(value), bytes, 0, nullptr, nullptr);
  });
}

GpuApi::Status OpenClApi::createStream(Handle& out, int) const {
  ClStatus status = 0;
  out = current->addQueue(status);
  return status;
}

GpuApi::Status OpenClApi::destroyStream(Handle stream) const {
  return current->removeQueue(queueOf(stream));
}

GpuApi::Status OpenClApi::synchronizeStream(Handle stream) const {
  return current->finish(queueOf(stream));
}

GpuApi::Status OpenClApi::synchronizeContext() const {
  return current->finishAll();
}

GpuApi::Status OpenClApi::createEvent(Handle& out) const {
  out = new ClEvent{};
  return 0;
}

GpuApi::Status OpenClApi::destroyEvent(Handle event) const {
  const std::unique_ptr<ClEvent> owned(&eventOf(event));
  return *owned ? cl_.ReleaseEvent(*owned) : 0;
}

GpuApi::Status OpenClApi::recordEvent(Handle event, Handle stream) const {
  ClEvent marker = nullptr;
  const ClStatus status = current->enqueue(
      queueOf(stream), [&](ClQueue queue) { return cl_.EnqueueMarkerWithWaitList(queue, 0, nullptr, &marker); });
  if (!marker) return status;
  if (const ClEvent before = std::exchange(eventOf(event), marker)) (void)cl_.ReleaseEvent(before);
  return status;
}

GpuApi::Status OpenClApi::waitForEvent(Handle stream, Handle event) const {
  // One that was never recorded is nothing to wait for.
  if (!eventOf(event)) return 0;
  return current->enqueue(queueOf(stream), [&](ClQueue queue) {
    return cl_.EnqueueBarrierWithWaitList(queue, 1, &eventOf(event), nullptr);
  });
}

GpuApi::Status OpenClApi::synchronizeEvent(Handle event) const {
  return eventOf(event) ? cl_.WaitForEvents(1, &eventOf(event)) : 0;
}

GpuApi::Status OpenClApi::elapsed(float& milliseconds, Handle from, Handle to) const {
  std::uint64_t begin = 0, end = 0;
  ClStatus status = cl_.GetEventProfilingInfo(eventOf(from), ClProfiling::end, sizeof(begin), &begin, nullptr);
  if (status == 0) status = cl_.GetEventProfilingInfo(eventOf(to), ClProfiling::end, sizeof(end), &end, nullptr);
  milliseconds = static_cast<float>(static_cast<double>(static_cast<std::int64_t>(end - begin)) * 1e-6);
  return status;
}

}  // namespace lathe::detail
