// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver API: opening it, its status codes, which code runs where, and the calls that are more than one line.
#include "runtimes/cuda/cuda_api.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "runtimes/common/gpu/gpu_library.h"

namespace lathe::detail {
namespace {

ErrorCode codeOf(CuResult status) {
  switch (status) {
    case 2:
      return ErrorCode::OutOfDeviceMemory;  // CUDA_ERROR_OUT_OF_MEMORY
    case 34:                                // CUDA_ERROR_STUB_LIBRARY
    case 221:                               // CUDA_ERROR_JIT_COMPILER_NOT_FOUND
      return ErrorCode::DriverMissing;
    case 46:   // CUDA_ERROR_DEVICE_UNAVAILABLE
    case 100:  // CUDA_ERROR_NO_DEVICE
    case 101:  // CUDA_ERROR_INVALID_DEVICE
      return ErrorCode::DeviceNotFound;
    case 200:  // CUDA_ERROR_INVALID_IMAGE
    case 218:  // CUDA_ERROR_INVALID_PTX
    case 300:  // CUDA_ERROR_INVALID_SOURCE
    case 500:  // CUDA_ERROR_NOT_FOUND: a symbol the image promised
      return ErrorCode::ImageCorrupt;
    case 209:  // CUDA_ERROR_NO_BINARY_FOR_GPU
    case 223:  // CUDA_ERROR_JIT_COMPILATION_DISABLED
      return ErrorCode::IncompatibleDevice;
    case 36:   // CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER
    case 222:  // CUDA_ERROR_UNSUPPORTED_PTX_VERSION
    case 803:  // CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
    case 804:  // CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE
      return ErrorCode::DriverTooOld;
    case 214:  // CUDA_ERROR_ECC_UNCORRECTABLE
    case 220:  // CUDA_ERROR_NVLINK_UNCORRECTABLE
    case 700:  // CUDA_ERROR_ILLEGAL_ADDRESS
    case 702:  // CUDA_ERROR_LAUNCH_TIMEOUT
    case 710:  // CUDA_ERROR_ASSERT
    case 714:  // CUDA_ERROR_HARDWARE_STACK_ERROR
    case 715:  // CUDA_ERROR_ILLEGAL_INSTRUCTION
    case 716:  // CUDA_ERROR_MISALIGNED_ADDRESS
    case 717:  // CUDA_ERROR_INVALID_ADDRESS_SPACE
    case 718:  // CUDA_ERROR_INVALID_PC
    case 719:  // CUDA_ERROR_LAUNCH_FAILED
      return ErrorCode::DeviceFault;
    case 801:  // CUDA_ERROR_NOT_SUPPORTED
      return ErrorCode::Unsupported;
    case 701:  // CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
    case 720:  // CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
    case 912:  // CUDA_ERROR_INVALID_CLUSTER_SIZE
      return ErrorCode::LaunchFailed;
    default:
      return ErrorCode::DriverError;
  }
}

std::string_view hintFor(ErrorCode code) {
  switch (code) {
    case ErrorCode::DeviceFault:
      return "a fault ends the device's context: later calls in this process fail too";
    case ErrorCode::DriverTooOld:
      return "install a newer NVIDIA driver, or compile for an older PTX version";
    case ErrorCode::OutOfDeviceMemory:
      return "free device memory, or work on the data in parts";
    default:
      return {};
  }
}

/// "sm_90a": number 90, suffix 'a'.
struct CudaArch {
  int number = 0;
  char suffix = '\0';
};

std::optional<CudaArch> parseArch(std::string_view text) {
  CudaArch out;
  const auto digits = text.substr(std::min(text.find('_') + 1, text.size()));
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), out.number);
  const auto rest = static_cast<std::size_t>(digits.data() + digits.size() - end);
  if (failure != std::errc() || rest > 1) return std::nullopt;
  if (rest == 1) out.suffix = *end;
  return out;
}

/// The compatibility rules of the CUDA C++ Programming Guide: machine code runs on its major version from its minor on,
/// PTX on everything later; an `a` arch on itself alone, an `f` arch on its family, which is its major version.
bool runsOn(CudaArch device, CudaArch code, bool machineCode) {
  if (code.suffix == 'a') return code.number == device.number;
  const bool sameMajor = code.number / 10 == device.number / 10;
  return code.number <= device.number && (sameMajor || !(machineCode || code.suffix == 'f'));
}

}  // namespace

Result<std::unique_ptr<const CudaApi>> CudaApi::open(std::span<const char* const> libraries) {
  auto library = DynamicLibrary::open(libraries);
  if (!library) {
    Error error = std::move(library).error();
    error.message = "cuda: the NVIDIA driver's library " + error.message;
    error.hint = "install the NVIDIA driver, or run on another device, such as the cpu";
    error.target = "cuda";
    return error;
  }
  std::unique_ptr<CudaApi> api(new CudaApi(*std::move(library)));
#define LATHE_CUDA(name, exported, parameters)                                                                \
  api->name = reinterpret_cast<CuResult(*) parameters>(api->library_.symbol(exported));                       \
  if (!api->name) {                                                                                           \
    return Error{.code = ErrorCode::DriverTooOld,                                                             \
                 .message = "cuda: the driver lacks the function " exported "; install driver R450 or later", \
                 .target = "cuda"};                                                                           \
  }
#define LATHE_CUDA_SINCE(driver, name, exported, parameters) \
  api->name = reinterpret_cast<CuResult(*) parameters>(api->library_.symbol(exported));
#include "runtimes/cuda/driver_functions.def"
  if (const CuResult status = api->Init(0); status != 0) return api->error(status, "starting the driver");
  return std::unique_ptr<const CudaApi>(std::move(api));
}

Error CudaApi::error(Status status, std::string_view doing) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (GetErrorName(status, &name) != 0 || !name) name = "an unknown code";
  if (GetErrorString(status, &text) != 0 || !text) text = "unknown error";
  const ErrorCode code = codeOf(status);
  return {.code = code,
          .message = fmt::format("cuda: {}: {} ({}, {})", doing, text, name, status),
          .hint = std::string(hintFor(code)),
          .target = "cuda"};
}

Result<int> CudaApi::deviceCount() const {
  int out = 0;
  if (const CuResult status = DeviceGetCount(&out); status != 0) return error(status, "counting devices");
  if (out == 0)
    return Error{.code = ErrorCode::DeviceNotFound,
                 .message = "cuda: the driver is installed, but there is no device",
                 .target = "cuda"};
  return out;
}

Result<DeviceInfo> CudaApi::describe(int index) const {
  DeviceInfo out;
  out.runtime = "cuda";
  out.index = index;
  std::array<char, 256> name{};
  std::size_t memory = 0;
  int version = 0, major = 0, minor = 0;
  CuDevice device = 0;
  CuResult status = DeviceGet(&device, index);
  const auto step = [&](auto function, auto... arguments) {
    if (status == 0) status = function(arguments...);
  };
  const auto attribute = [&](auto& value, CuDeviceAttribute which) {
    int raw = 0;
    step(DeviceGetAttribute, &raw, which, device);
    value = static_cast<std::remove_reference_t<decltype(value)>>(raw);
  };
  step(DeviceGetName, name.data(), static_cast<int>(name.size() - 1), device);
  step(DeviceTotalMem, &memory, device);
  step(DriverGetVersion, &version);
  describeLimits<CuDeviceAttribute>(out, attribute);
  attribute(out.maxSharedBytes, CuDeviceAttribute::maxSharedPerBlockOptIn);
  attribute(out.gridBarriers, CuDeviceAttribute::cooperativeLaunch);
  // A driver that knows no clusters does not know the question either.
  if (int clusters = 0; DeviceGetAttribute(&clusters, CuDeviceAttribute::clusterLaunch, device) == 0 && clusters != 0)
    out.maxCluster = 8;   // what every kernel may use: "Thread Block Clusters" in the CUDA C++ programming guide
  if (!LaunchKernelEx) {  // one function launches both
    out.gridBarriers = false;
    out.maxCluster = 1;
  }
  attribute(major, CuDeviceAttribute::computeCapabilityMajor);
  attribute(minor, CuDeviceAttribute::computeCapabilityMinor);
  if (status != 0) return error(status, fmt::format("describing device {}", index));
  out.name = name.data();
  out.arch = fmt::format("sm_{}{}", major, minor);
  out.memoryBytes = memory;
  out.driverVersion = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  return out;
}

GpuApi::Status CudaApi::makeCurrent(Handle context) const {
  // Asked each time rather than remembered: it costs a few nanoseconds, and other users of the driver in this process
  // switch contexts without telling us.
  CuContext current = nullptr;
  if (CtxGetCurrent(&current) == 0 && current == context) return 0;
  return CtxSetCurrent(context);
}

std::vector<const Code*> CudaApi::usableCode(const Image& image, const DeviceInfo& device) const {
  struct Candidate {
    bool machineCode;
    int number;
    const Code* code;  ///< in image.code(): of equals the first comes first
  };
  std::vector<Candidate> candidates;
  const auto own = parseArch(device.arch);
  for (const Code& code : image.code()) {
    const bool machineCode = code.format == "cubin";
    if (!machineCode && code.format != "ptx") continue;
    const auto arch = parseArch(code.arch);
    if (own && arch && runsOn(*own, *arch, machineCode)) candidates.push_back({machineCode, arch->number, &code});
  }
  // Machine code needs no compilation; the latest arch knows the device best.
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return std::tuple(b.machineCode, b.number, a.code) < std::tuple(a.machineCode, a.number, b.code);
  });
  std::vector<const Code*> out;
  for (const Candidate& candidate : candidates) out.push_back(candidate.code);
  return out;
}

GpuApi::Status CudaApi::findGlobal(void*& address, std::size_t& bytes, Handle module, const char* symbol) const {
  CuDevicePointer out = 0;
  const CuResult status = ModuleGetGlobal(&out, &bytes, module, symbol);
  address = reinterpret_cast<void*>(out);
  return status;
}

GpuApi::Status CudaApi::functionFacts(GpuFunctionFacts& out, Handle function) const {
  return readFunctionFacts<CuFunctionAttribute>(
      out, [&](int* value, CuFunctionAttribute which) { return FuncGetAttribute(value, which, function); });
}

GpuApi::Status CudaApi::launch(Handle function, const LaunchOptions& options, Handle stream,
                               const void* const* arguments) const {
  const Extent3& grid = options.grid;
  const Extent3& group = options.group;
  // The driver copies the values and does not write to them, whatever its signature says.
  auto* const parameters = const_cast<void**>(arguments);
  std::array<CuLaunchAttribute, 3> attributes;
  unsigned count = launchAttributes(attributes, options);
  if (options.overlapsPrevious && LaunchKernelEx)
    attributes[count++] = {CuLaunchAttribute::Kind::programmaticStreamSerialisation, {1}};
  if (count == 0) {
    return LaunchKernel(function, grid.x, grid.y, grid.z, group.x, group.y, group.z, options.dynamicSharedBytes, stream,
                        parameters, nullptr);
  }
  const CuLaunchConfig config{
      grid.x, grid.y, grid.z, group.x, group.y, group.z, options.dynamicSharedBytes, stream, attributes.data(), count};
  return LaunchKernelEx(&config, function, parameters, nullptr);
}

GpuApi::Status CudaApi::allocate(void*& out, std::size_t bytes) const {
  CuDevicePointer address = 0;
  const CuResult status = MemAlloc(&address, bytes);
  out = reinterpret_cast<void*>(address);
  return status;
}

}  // namespace lathe::detail
