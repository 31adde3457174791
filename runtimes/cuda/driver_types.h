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
  clusterLaunch = 120,
};

enum class CuFunctionAttribute : int {
  maxThreadsPerBlock = 0,
  sharedBytes = 1,
  constBytes = 2,
  localBytes = 3,
  registers = 4,
  maxDynamicSharedBytes = 8,
};

/// CUlaunchAttribute: a kind and a union of 64 bytes.
struct CuLaunchAttribute {
  enum class Kind : int { cooperative = 2, clusterDimension = 4 };
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

enum class CuJitInput : int {
  ptx = 1,
  library = 4,
};

enum class CuJitOption : int { errorLogBuffer = 5, errorLogBufferBytes = 6, optimisationLevel = 7 };

}  // namespace lathe::detail
