// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of OpenCL's ABI that Lathe uses: handles and numbers, after the Khronos OpenCL API specification 3.0 and its
// extensions cl_ext_float_atomics, cl_khr_il_program, cl_intel_required_subgroup_size, cl_khr_kernel_clock,
// cl_khr_spirv_queries and cl_khr_subgroups. A test compares them, and the functions of opencl_functions.def, with the
// Khronos headers.
#pragma once

#include <cstddef>
#include <cstdint>

struct _cl_platform_id;
struct _cl_device_id;
struct _cl_context;
struct _cl_command_queue;
struct _cl_program;
struct _cl_kernel;
struct _cl_event;
struct _cl_mem;

namespace lathe::detail {

using ClStatus = std::int32_t;
using ClPlatform = _cl_platform_id*;
using ClDevice = _cl_device_id*;
using ClContext = _cl_context*;
using ClQueue = _cl_command_queue*;
using ClProgram = _cl_program*;
using ClKernel = _cl_kernel*;
using ClEvent = _cl_event*;
using ClBuffer = _cl_mem*;

/// Status codes that Lathe tells apart. Success is 0.
struct ClError {
  static constexpr ClStatus deviceNotFound = -1, deviceNotAvailable = -2, compilerNotAvailable = -3,
                            memoryAllocation = -4, outOfResources = -5, outOfHostMemory = -6, buildFailure = -11,
                            failedInWaitList = -14, invalidValue = -30, invalidBinary = -42, invalidProgram = -44,
                            invalidKernelName = -46, invalidArgumentIndex = -49, invalidArgumentValue = -50,
                            invalidArgumentSize = -51, invalidKernelArguments = -52, invalidBufferSize = -61,
                            platformNotFound = -1001;
  // Lathe's own, of no OpenCL.
  static constexpr ClStatus noGlobal = -90001, noCoherentMemory = -90002, noDoubles = -90003, noLongAtomics = -90004,
                            noSubgroupSize = -90005, noClock = -90006, noFloatAtomics = -90007, noExtension = -90008,
                            noHalves = -90009;
};

struct ClPlatformInfo {
  static constexpr std::uint32_t version = 0x0901, name = 0x0902;
};

/// What clGetDeviceInfo answers.
struct ClDeviceInfo {
  static constexpr std::uint32_t computeUnits = 0x1002, maxGroupItems = 0x1004, maxItemSizes = 0x1005,
                                 floatAbilities = 0x101B, globalMemory = 0x101F, localMemory = 0x1023,
                                 available = 0x1027, compiler = 0x1028, name = 0x102B, driverVersion = 0x102D,
                                 version = 0x102F, extensions = 0x1030, doubleAbilities = 0x1032,
                                 languageVersion = 0x103D, svmCapabilities = 0x1053, ilVersion = 0x105B,
                                 mostSubgroups = 0x105C, languageVersions = 0x1066, genericPointers = 0x1069,
                                 kernelClock = 0x1076, subgroupSizes = 0x4108, floatAtomics = 0x4231,
                                 doubleAtomics = 0x4232, halfAtomics = 0x4233, spirvExtensions = 0x12BA;
};
/// A bit of ClDeviceInfo::floatAbilities: division and square roots are exact where a program asks for it.
inline constexpr std::uint64_t clExactDivision = 1 << 7;
/// A bit of ClDeviceInfo::kernelClock: each subgroup has a clock.
inline constexpr std::uint64_t clSubgroupClock = 1 << 2;
/// Bits of ClDeviceInfo::floatAtomics and its like, of global memory (cl_ext_float_atomics).
inline constexpr std::uint64_t clFloatAtomicAdd = 1 << 1, clFloatAtomicMinMax = 1 << 2;
/// An element of ClDeviceInfo::languageVersions: 10 bits of major, 10 of minor version, 12 of the rest.
struct ClNameVersion {
  std::uint32_t version;
  char name[64];
};
inline constexpr std::uint64_t clDeviceTypeAll = 0xFFFFFFFF;

/// Bits of ClDeviceInfo::svmCapabilities.
struct ClSvm {
  static constexpr std::uint64_t coarse = 1, fine = 2, fineSystem = 4, atomics = 8;
};
/// Bits for clSVMAlloc and clCreateBuffer.
struct ClMemory {
  static constexpr std::uint64_t readWrite = 1, useHostPointer = 1 << 3, svmFine = 1 << 10, svmAtomics = 1 << 11;
};

struct ClQueueProperty {
  static constexpr std::uint64_t key = 0x1093, profiling = 2;
};
struct ClBuildInfo {
  static constexpr std::uint32_t log = 0x1183;
};
struct ClKernelGroupInfo {
  static constexpr std::uint32_t maxItems = 0x11B0, localMemory = 0x11B2, privateMemory = 0x11B4;
};
/// What clGetKernelSubGroupInfo answers, for a group of given extents.
struct ClKernelSubGroupInfo {
  static constexpr std::uint32_t mostItems = 0x2033;
};
/// What clGetEventInfo answers, and the last of the states of a command; an error's status is one too.
struct ClEventInfo {
  static constexpr std::uint32_t state = 0x11D3;
  static constexpr std::int32_t complete = 0;
};
struct ClExecInfo {
  static constexpr std::uint32_t svmPointers = 0x11B6, fineSystem = 0x11B7;
};
struct ClProfiling {
  static constexpr std::uint32_t end = 0x1283;
};

}  // namespace lathe::detail
