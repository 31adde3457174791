// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The HIP runtime API: opening it, its status codes, and the calls that are more than one line.
#include "runtimes/hip/hip_api.h"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "runtimes/common/gpu/gpu_library.h"
#include "runtimes/hip/hip_code.h"

namespace lathe::detail {
namespace {

ErrorCode codeOf(HipError status) {
  switch (static_cast<HipStatus>(status)) {
    case HipStatus::outOfMemory:
      return ErrorCode::OutOfDeviceMemory;
    case HipStatus::noDevice:
    case HipStatus::invalidDevice:
      return ErrorCode::DeviceNotFound;
    case HipStatus::invalidImage:
    case HipStatus::invalidKernelFile:
    case HipStatus::invalidSource:
    case HipStatus::notFound:  // a symbol the image promised
      return ErrorCode::ImageCorrupt;
    case HipStatus::noBinaryForGpu:
      return ErrorCode::IncompatibleDevice;
    case HipStatus::insufficientDriver:
      return ErrorCode::DriverTooOld;
    case HipStatus::eccNotCorrectable:
    case HipStatus::illegalAddress:
    case HipStatus::launchTimeOut:
    case HipStatus::assertion:
    case HipStatus::launchFailure:
      return ErrorCode::DeviceFault;
    case HipStatus::invalidConfiguration:
    case HipStatus::launchOutOfResources:
    case HipStatus::cooperativeLaunchTooLarge:
      return ErrorCode::LaunchFailed;
    default:
      return ErrorCode::DriverError;
  }
}

std::string_view hintFor(ErrorCode code) {
  switch (code) {
    case ErrorCode::DeviceFault:
      return "a fault ends the device's queues: later calls in this process fail too";
    case ErrorCode::OutOfDeviceMemory:
      return "free device memory, or work on the data in parts";
    default:
      return {};
  }
}

Error lacks(std::string_view symbol) {
  return {.code = ErrorCode::DriverTooOld,
          .message = fmt::format("hip: the library lacks the function {}; install ROCm 5.0 or later", symbol),
          .target = "hip"};
}

int indexOf(GpuApi::Handle context) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(context)) - 1;
}

}  // namespace

Result<std::unique_ptr<const HipApi>> HipApi::open(std::span<const char* const> libraries) {
  auto library = DynamicLibrary::open(libraries);
  if (!library) {
    Error error = std::move(library).error();
    error.message = "hip: AMD's library " + error.message;
    error.hint = "install ROCm's HIP runtime or set LATHE_HIP_LIBRARY to its libamdhip64.so, or run on another device";
    error.target = "hip";
    return error;
  }
  std::unique_ptr<HipApi> api(new HipApi(*std::move(library)));
  const auto find = [&](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(api->library_.symbol(symbol));
    return function != nullptr;
  };
#define LATHE_HIP(name, parameters) \
  if (!find(api->name, "hip" #name)) return lacks("hip" #name);
#define LATHE_HIP_IF_THERE(name, parameters) (void)find(api->name, "hip" #name);
#include "runtimes/hip/hip_functions.def"
  if (!find(api->getErrorName_, "hipGetErrorName")) return lacks("hipGetErrorName");
  if (!find(api->getErrorString_, "hipGetErrorString")) return lacks("hipGetErrorString");
  api->archOffset_ = HipDeviceProperties::archOffset;
  if (!find(api->getProperties_, "hipGetDevicePropertiesR0600")) {
    api->archOffset_ = HipDeviceProperties::archOffsetBefore6;
    if (!find(api->getProperties_, "hipGetDeviceProperties")) return lacks("hipGetDeviceProperties");
  }
  if (const HipError status = api->Init(0); status != 0) return api->error(status, "starting the runtime");
  return std::unique_ptr<const HipApi>(std::move(api));
}

Error HipApi::error(Status status, std::string_view doing) const {
  const char* const name = getErrorName_(status);
  const char* const text = getErrorString_(status);
  const ErrorCode code = codeOf(status);
  return {.code = code,
          .message = fmt::format("hip: {}: {} ({}, {})", doing, text ? text : "unknown error",
                                 name ? name : "an unknown code", status),
          .hint = std::string(hintFor(code)),
          .target = "hip"};
}

Result<int> HipApi::deviceCount() const {
  int out = 0;
  const HipError status = GetDeviceCount(&out);
  if (status == 0 && out == 0)
    return Error{.code = ErrorCode::DeviceNotFound,
                 .message = "hip: the runtime is installed, but there is no device",
                 .target = "hip"};
  if (status != 0) return error(status, "counting devices");
  return out;
}

GpuApi::Status HipApi::processorName(std::string& out, int device) const {
  HipDeviceProperties properties;
  const HipError status = getProperties_(&properties, device);
  const char* const name = properties.bytes + archOffset_;
  out.assign(name, ::strnlen(name, HipDeviceProperties::archBytes));
  return status;
}

Result<DeviceInfo> HipApi::describe(int index) const {
  DeviceInfo out;
  out.runtime = "hip";
  out.index = index;
  std::array<char, 256> name{};
  std::string processor;
  std::size_t memory = 0;
  int version = 0;
  HipError status = DeviceGetName(name.data(), static_cast<int>(name.size() - 1), index);
  const auto step = [&](auto function, auto... arguments) {
    if (status == 0) status = function(arguments...);
  };
  const auto attribute = [&](auto& value, HipDeviceAttribute which) {
    int raw = 0;
    step(DeviceGetAttribute, &raw, which, index);
    value = static_cast<std::remove_reference_t<decltype(value)>>(raw);
  };
  if (status == 0) status = processorName(processor, index);
  step(DeviceTotalMem, &memory, index);
  step(RuntimeGetVersion, &version);
  describeLimits<HipDeviceAttribute>(out, attribute);
  attribute(out.maxSharedBytes, HipDeviceAttribute::maxSharedPerBlock);
  if (ModuleLaunchCooperativeKernel) attribute(out.gridBarriers, HipDeviceAttribute::cooperativeLaunch);
  if (status != 0) return error(status, fmt::format("describing device {}", index));
  out.name = name.data();
  out.arch = processorOf(processor);
  out.memoryBytes = memory;
  // HIP_VERSION: major · 10,000,000 + minor · 100,000 + patch.
  out.driverVersion = fmt::format("{}.{}", version / 10'000'000, version % 10'000'000 / 100'000);
  return out;
}

GpuApi::Status HipApi::retainContext(int device, Handle& out) const {
  out = reinterpret_cast<Handle>(std::intptr_t{device} + 1);
  return SetDevice(device);
}

GpuApi::Status HipApi::makeCurrent(Handle context) const {
  return SetDevice(indexOf(context));
}

std::vector<const Code*> HipApi::usableCode(const Image& image, const DeviceInfo& device) const {
  std::string name;
  return amdCodeFor(image, processorName(name, device.index) == 0 ? name : device.arch);
}

GpuApi::Status HipApi::functionFacts(GpuFunctionFacts& out, Handle function) const {
  return readFunctionFacts<HipFunctionAttribute>(
      out, [&](int* value, HipFunctionAttribute which) { return FuncGetAttribute(value, which, function); });
}

GpuApi::Status HipApi::launch(Handle function, const LaunchOptions& options, Handle stream,
                              const void* const* arguments) const {
  const Extent3& grid = options.grid;
  const Extent3& group = options.group;
  if (options.cooperative)
    return ModuleLaunchCooperativeKernel(function, grid.x, grid.y, grid.z, group.x, group.y, group.z,
                                         options.dynamicSharedBytes, stream, const_cast<void**>(arguments));
  // Grids are counted in groups here, as in CUDA; HIP fills in the hidden arguments by the code object's metadata.
  return ModuleLaunchKernel(function, grid.x, grid.y, grid.z, group.x, group.y, group.z, options.dynamicSharedBytes,
                            stream, const_cast<void**>(arguments), nullptr);
}

}  // namespace lathe::detail
