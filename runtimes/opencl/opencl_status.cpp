// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names after the OpenCL API specification 3.0, section "Error Codes".
#include "runtimes/opencl/opencl_status.h"

#include <fmt/format.h>

namespace lathe::detail {
namespace {

ErrorCode codeOf(ClStatus status) {
  switch (status) {
    case ClError::memoryAllocation:
    case ClError::invalidBufferSize:
      return ErrorCode::OutOfDeviceMemory;
    case ClError::outOfHostMemory:
      return ErrorCode::OutOfHostMemory;
    case ClError::deviceNotFound:
    case ClError::deviceNotAvailable:
    case ClError::platformNotFound:
      return ErrorCode::DeviceNotFound;
    case ClError::buildFailure:
    case ClError::compilerNotAvailable:
    case ClError::noDoubles:
    case ClError::noHalves:
    case ClError::noLongAtomics:
    case ClError::noSubgroupSize:
    case ClError::noClock:
    case ClError::noFloatAtomics:
    case ClError::noExtension:
      return ErrorCode::IncompatibleDevice;
    case ClError::failedInWaitList:
      return ErrorCode::DeviceFault;
    case ClError::invalidArgumentIndex:
    case ClError::invalidArgumentValue:
    case ClError::invalidArgumentSize:
    case ClError::invalidKernelArguments:
      return ErrorCode::ArgumentMismatch;
    case ClError::invalidBinary:
    case ClError::invalidProgram:
    case ClError::invalidKernelName:  // a symbol the image promised
      return ErrorCode::ImageCorrupt;
    case ClError::noCoherentMemory:
      return ErrorCode::IncompatibleDevice;
    case ClError::noGlobal:
      return ErrorCode::Unsupported;
    default:
      return ErrorCode::DriverError;
  }
}

std::string_view hintFor(ClStatus status) {
  switch (status) {
    case ClError::memoryAllocation:
    case ClError::invalidBufferSize:
      return "free device memory, or work on the data in parts";
    case ClError::outOfHostMemory:
      return "free memory of the host, or work on the data in parts";
    case ClError::buildFailure:
      return "the device's compiler refuses the module: the notes are its log";
    case ClError::compilerNotAvailable:
      return "the driver was installed without its compiler: install that too, or another driver";
    case ClError::deviceNotAvailable:
      return "the device was reset or removed, or is used by others alone: what it held is lost; begin a new process";
    case ClError::outOfResources:
      return "the kernel made a wrong access, or takes more registers or group-shared memory than a group may have";
    case ClError::failedInWaitList:
      return "a kernel or a copy before this one failed; lathe run -t cpu --checked finds wrong accesses";
    case ClError::invalidArgumentIndex:
    case ClError::invalidArgumentValue:
    case ClError::invalidArgumentSize:
    case ClError::invalidKernelArguments:
      return "the image describes other parameters than its code has: compile the kernel again";
    case ClError::noDoubles:
      return "compute in float, or run on another device: lathe doctor lists them";
    case ClError::noHalves:
      return "compile for opencl-c, which computes in float, or run on another device: lathe doctor lists them";
    case ClError::noLongAtomics:
      return "use atomics of 32 bits, or run on another device: lathe doctor lists them";
    case ClError::noFloatAtomics:
      return "compile for a target whose descriptor does not name the extension, such as spirv: atomics of floats are "
             "loops there";
    case ClError::noExtension:
      return "compile for a target whose descriptor does not name the extension, or run on another device";
    case ClError::noClock:
      return "leave the clock out where the kernel runs on this device, or run on another one";
    case ClError::noSubgroupSize:
      return "compile for the size that the device has (spirv:spv1.4-sg16; lathe doctor names its architecture), "
             "exchange "
             "values through group-shared memory, or run on another device";
    case ClError::noCoherentMemory:
      return "kernels that print, allocate or fail need it, and so does pinned memory: run on another device (lathe "
             "doctor lists them)";
    case ClError::noGlobal:
      return "pass the variable's contents as an argument, or choose a target whose runtime finds variables by name";
    default:
      return {};
  }
}

/// What a device lacks, of Lathe's own statuses; else nothing.
std::string_view lackOf(ClStatus status) {
  switch (status) {
    case ClError::noGlobal:
      return "cannot find variables of a program by name";
    case ClError::noCoherentMemory:
      return "has no memory that host and kernels reach at the same time";
    case ClError::noDoubles:
      return "has no double precision, which the code uses";
    case ClError::noHalves:
      return "has no half precision (cl_khr_fp16), which the code uses";
    case ClError::noLongAtomics:
      return "has no atomics of 64 bits (cl_khr_int64_base_atomics), which the code uses";
    case ClError::noClock:
      return "has no clock for kernels (cl_khr_kernel_clock), which the code reads";
    case ClError::noFloatAtomics:
      return "has not the atomics of floats (cl_ext_float_atomics) that the code uses";
    case ClError::noExtension:
      return "lacks an extension of SPIR-V that the code uses";
    case ClError::noSubgroupSize:
      return "has no subgroups of the size that the code counts on";
    default:
      return {};
  }
}

}  // namespace

std::string_view clStatusName(ClStatus status) noexcept {
  switch (status) {
#define LATHE_NAME(value, name) \
  case value:                   \
    return name;
    LATHE_NAME(-1, "CL_DEVICE_NOT_FOUND")
    LATHE_NAME(-2, "CL_DEVICE_NOT_AVAILABLE")
    LATHE_NAME(-3, "CL_COMPILER_NOT_AVAILABLE")
    LATHE_NAME(-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE")
    LATHE_NAME(-5, "CL_OUT_OF_RESOURCES")
    LATHE_NAME(-6, "CL_OUT_OF_HOST_MEMORY")
    LATHE_NAME(-7, "CL_PROFILING_INFO_NOT_AVAILABLE")
    LATHE_NAME(-8, "CL_MEM_COPY_OVERLAP")
    LATHE_NAME(-11, "CL_BUILD_PROGRAM_FAILURE")
    LATHE_NAME(-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST")
    LATHE_NAME(-30, "CL_INVALID_VALUE")
    LATHE_NAME(-32, "CL_INVALID_PLATFORM")
    LATHE_NAME(-33, "CL_INVALID_DEVICE")
    LATHE_NAME(-34, "CL_INVALID_CONTEXT")
    LATHE_NAME(-35, "CL_INVALID_QUEUE_PROPERTIES")
    LATHE_NAME(-36, "CL_INVALID_COMMAND_QUEUE")
    LATHE_NAME(-42, "CL_INVALID_BINARY")
    LATHE_NAME(-43, "CL_INVALID_BUILD_OPTIONS")
    LATHE_NAME(-44, "CL_INVALID_PROGRAM")
    LATHE_NAME(-45, "CL_INVALID_PROGRAM_EXECUTABLE")
    LATHE_NAME(-46, "CL_INVALID_KERNEL_NAME")
    LATHE_NAME(-47, "CL_INVALID_KERNEL_DEFINITION")
    LATHE_NAME(-48, "CL_INVALID_KERNEL")
    LATHE_NAME(-49, "CL_INVALID_ARG_INDEX")
    LATHE_NAME(-50, "CL_INVALID_ARG_VALUE")
    LATHE_NAME(-51, "CL_INVALID_ARG_SIZE")
    LATHE_NAME(-52, "CL_INVALID_KERNEL_ARGS")
    LATHE_NAME(-53, "CL_INVALID_WORK_DIMENSION")
    LATHE_NAME(-54, "CL_INVALID_WORK_GROUP_SIZE")
    LATHE_NAME(-55, "CL_INVALID_WORK_ITEM_SIZE")
    LATHE_NAME(-56, "CL_INVALID_GLOBAL_OFFSET")
    LATHE_NAME(-57, "CL_INVALID_EVENT_WAIT_LIST")
    LATHE_NAME(-58, "CL_INVALID_EVENT")
    LATHE_NAME(-59, "CL_INVALID_OPERATION")
    LATHE_NAME(-61, "CL_INVALID_BUFFER_SIZE")
    LATHE_NAME(-63, "CL_INVALID_GLOBAL_WORK_SIZE")
    LATHE_NAME(-64, "CL_INVALID_PROPERTY")
    LATHE_NAME(-1001, "CL_PLATFORM_NOT_FOUND_KHR")
#undef LATHE_NAME
    default:
      return "an unknown code";
  }
}

Error clErrorOf(ClStatus status, std::string_view doing) {
  Error out{.code = codeOf(status), .hint = std::string(hintFor(status)), .target = "opencl"};
  if (const std::string_view lack = lackOf(status); !lack.empty())
    out.message = fmt::format("opencl: {}: the device {}", doing, lack);
  else
    out.message = fmt::format("opencl: {}: {} ({})", doing, clStatusName(status), status);
  return out;
}

}  // namespace lathe::detail
