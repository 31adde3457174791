// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's own declarations of the CUDA driver API's texture objects, as driver_types.h has the rest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtimes/cuda/driver_types.h"

namespace lathe::detail {

using CuArray = void*;
using CuMipmappedArray = void*;
using CuTextureObject = unsigned long long;

enum class CuArrayFormat : int {
  unsigned8 = 0x01,
  unsigned16 = 0x02,
  unsigned32 = 0x03,
  signed8 = 0x08,
  signed16 = 0x09,
  signed32 = 0x0a,
  half = 0x10,
  real = 0x20,
};

/// CUDA_ARRAY3D_DESCRIPTOR.
struct CuArrayDescriptor {
  enum Flag : unsigned { layered = 1, surface = 2, cubemap = 4, gather = 8 };
  std::size_t width = 0, height = 0, depth = 0;
  CuArrayFormat format = CuArrayFormat::real;
  unsigned channels = 1;
  unsigned flags = 0;
};
static_assert(sizeof(CuArrayDescriptor) == 40);

/// CUDA_RESOURCE_DESC: a kind, and a union of 128 bytes.
struct CuResource {
  enum class Kind : int { array = 0, mipmappedArray = 1, linear = 2, pitch2D = 3 };
  struct Linear {
    CuDevicePointer address;
    CuArrayFormat format;
    unsigned channels;
    std::size_t bytes;
  };
  struct Pitch2D {
    CuDevicePointer address;
    CuArrayFormat format;
    unsigned channels;
    std::size_t width, height, pitch;
  };
  Kind kind = Kind::array;
  union {
    int reserved[32] = {};
    void* array;
    Linear linear;
    Pitch2D pitch2D;
  };
  unsigned flags = 0;
};
static_assert(sizeof(CuResource) == 144 && offsetof(CuResource, array) == 8 && offsetof(CuResource, flags) == 136);

/// CUDA_TEXTURE_DESC. Address modes: wrap, clamp, mirror, border; filters: point, linear.
struct CuTexture {
  enum Flag : unsigned { readAsInteger = 1, normalizedCoordinates = 2 };
  int addressMode[3] = {};
  int filter = 0;
  unsigned flags = 0;
  unsigned maxAnisotropy = 0;
  int levelFilter = 0;
  float levelBias = 0, minLevel = 0, maxLevel = 0;
  float border[4] = {};
  int reserved[12] = {};
};
static_assert(sizeof(CuTexture) == 104);

}  // namespace lathe::detail
