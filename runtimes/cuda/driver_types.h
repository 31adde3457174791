// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's own declarations of the parts of the CUDA driver API it uses, so that no toolkit is needed to build. Names
// and numbers are those of NVIDIA's "CUDA Driver API" reference; they are fixed by its ABI.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lathe::detail {

using CuResult = int;
using CuDevice = int;
using CuContext = void*;
using CuModule = void*;
using CuFunction = void*;
using CuStream = void*;
using CuEvent = void*;
using CuLink = void*;
using CuGraph = void*;
using CuGraphNode = void*;
using CuGraphExec = void*;
using CuDevicePointer = std::uint64_t;

enum class CuDeviceAttribute : int {
  maxThreadsPerBlock = 1,
  maxBlockX = 2,
  maxBlockY = 3,
  maxBlockZ = 4,
  maxGridX = 5,
  maxGridY = 6,
  maxGridZ = 7,
  warpSize = 10,
  multiprocessors = 16,
  computeCapabilityMajor = 75,
  computeCapabilityMinor = 76,
  cooperativeLaunch = 95,
  maxSharedPerBlockOptIn = 97,
  managedMemory = 83,
  memoryPools = 115,
  clusterLaunch = 120,
};

enum class CuFunctionAttribute : int {
  maxThreadsPerBlock = 0,
  sharedBytes = 1,
  constBytes = 2,
  localBytes = 3,
  registers = 4,
  textArchitecture = 5,
  machineArchitecture = 6,
  maxDynamicSharedBytes = 8,
};

/// CUlaunchAttribute: a kind and a union of 64 bytes.
struct CuLaunchAttribute {
  enum class Kind : int { cooperative = 2, clusterDimension = 4, programmaticStreamSerialisation = 6 };
  Kind kind;
  alignas(8) unsigned value[16];
};

/// CUlaunchConfig.
struct CuLaunchConfig {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  CuStream stream;
  const CuLaunchAttribute* attributes;
  unsigned attributeCount;
};
static_assert(sizeof(CuLaunchAttribute) == 72 && sizeof(CuLaunchConfig) == 56);

/// CUstreamCaptureMode: `relaxed` forbids nothing that other threads do.
enum class CuCaptureMode : int { relaxed = 2 };

/// CUDA_KERNEL_NODE_PARAMS_v1.
struct CuKernelNode {
  CuFunction function;
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  void** parameters;
  void** extra;
};

/// CUDA_MEMSET_NODE_PARAMS.
struct CuMemsetNode {
  CuDevicePointer to;
  std::size_t pitch;
  unsigned value, elementBytes;
  std::size_t width, height;
};

/// CUDA_HOST_NODE_PARAMS.
struct CuHostNode {
  void (*function)(void*);
  void* data;
};

/// CUDA_MEMCPY3D, of which Lathe copies one row. CUmemorytype: 1 is the host, 2 a device, 4 either by its address.
struct CuCopy3D {
  struct Side {
    std::size_t x = 0, y = 0, z = 0, level = 0;
    int memoryType = 0;
    const void* host = nullptr;
    CuDevicePointer device = 0;
    void* array = nullptr;
    void* reserved = nullptr;
    std::size_t pitch = 0, height = 0;
  };
  Side from, to;
  std::size_t widthBytes = 0, height = 1, depth = 1;
};
static_assert(sizeof(CuKernelNode) == 56 && sizeof(CuMemsetNode) == 40 && sizeof(CuCopy3D) == 200);

enum class CuJitInput : int {
  ptx = 1,
  library = 4,
};

enum class CuJitOption : int {
  infoLogBuffer = 3,
  infoLogBufferBytes,
  errorLogBuffer,
  errorLogBufferBytes,
  optimisationLevel,
  logVerbose = 12,
};

}  // namespace lathe::detail
