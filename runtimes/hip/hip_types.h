// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's own declarations of the parts of the HIP runtime API it uses, so that no ROCm is needed to build. Names and
// numbers are those of the "HIP Runtime API Reference" since ROCm 5.0; they are fixed by its ABI.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lathe::detail {

using HipError = int;
using HipDevice = int;
using HipModule = void*;
using HipFunction = void*;
using HipStream = void*;
using HipEvent = void*;
using HipGraph = void*;
using HipGraphRun = void*;
using HipNode = void*;
using HipDevicePointer = void*;

/// The values of hipError_t that mean something to Lathe; all others are a driver's error.
enum class HipStatus : HipError {
  outOfMemory = 2,
  invalidConfiguration = 9,
  insufficientDriver = 35,
  noDevice = 100,
  invalidDevice = 101,
  invalidImage = 200,
  noBinaryForGpu = 209,
  eccNotCorrectable = 214,
  invalidKernelFile = 218,
  invalidSource = 300,
  notFound = 500,
  notReady = 600,
  illegalAddress = 700,
  launchOutOfResources = 701,
  launchTimeOut = 702,
  peerAccessAlreadyEnabled = 704,
  assertion = 710,
  launchFailure = 719,
  cooperativeLaunchTooLarge = 720,
  notSupported = 801,
};
constexpr bool operator==(HipError status, HipStatus meant) {
  return status == static_cast<HipError>(meant);
}

/// Flags of hipHostMalloc and hipMallocManaged: hipHostMallocPortable, hipHostMallocMapped, hipMemAttachGlobal.
inline constexpr unsigned hostPortable = 1, hostMapped = 2, attachedToAll = 1;

enum class HipDeviceAttribute : int {
  cooperativeLaunch = 10,
  maxBlockX = 26,
  maxBlockY = 27,
  maxBlockZ = 28,
  maxGridX = 29,
  maxGridY = 30,
  maxGridZ = 31,
  maxThreadsPerBlock = 56,
  multiprocessors = 63,
  maxSharedPerBlock = 74,
  warpSize = 87,
  memoryPools = 88,
};

enum class HipFunctionAttribute : int {
  maxThreadsPerBlock = 0,
  sharedBytes = 1,
  constBytes = 2,
  localBytes = 3,
  registers = 4,
  textArchitecture = 5,
  machineArchitecture = 6,
};

/// hipMemcpyKind
enum class HipCopy : int { hostToDevice = 1, deviceToHost = 2, deviceToDevice = 3 };

/// hipStreamCaptureMode: what other threads may do during a capture. Relaxed: anything.
enum class HipCaptureMode : int { relaxed = 2 };

struct HipDim3 {
  std::uint32_t x, y, z;
};

/// hipKernelNodeParams. `function` may be one of a module: what is no function of the host is taken for one.
struct HipKernelNode {
  HipDim3 block;
  void** extra;
  void* function;
  HipDim3 grid;
  void** parameters;
  unsigned sharedBytes;
};

/// hipMemsetParams: `width` elements in each of `height` rows.
struct HipFillNode {
  void* to;
  unsigned elementSize;
  std::size_t height;
  std::size_t pitch;
  unsigned value;
  std::size_t width;
};

/// hipHostNodeParams
struct HipHostNode {
  void (*function)(void*);
  void* data;
};

/// hipKernelNodeAttrValue, a union that has grown to 64 bytes: of it, what stands at its beginning.
struct HipNodeAttribute {
  enum class Kind : int { cooperative = 2 };

  alignas(8) int cooperative;
  char rest[60] = {};
};

/// hipDeviceProp_t, of which only gcnArchName is read: the driver tells the processor's name nowhere else. The struct
/// has two layouts, by the symbol that fills it; both are smaller than this.
struct HipDeviceProperties {
  static constexpr std::size_t archOffset = 1160;        ///< hipGetDevicePropertiesR0600: ROCm 6 and later
  static constexpr std::size_t archOffsetBefore6 = 396;  ///< hipGetDeviceProperties
  static constexpr std::size_t archBytes = 256;
  alignas(8) char bytes[4096] = {};
};

}  // namespace lathe::detail
