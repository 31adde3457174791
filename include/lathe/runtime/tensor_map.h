// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors in device memory as the hardware's copies of tiles see them (NVIDIA's TMA, from sm_90 on):
//
//   auto map    = device->createTensorMap(*memory, {.extents = {1024, 768}, .tile = {64, 32}});
//   auto queued = (*kernel)({.grid = {16, 24}, .group = {128}}, *map, out->data());
//
// The kernel has it as a parameter by value that does not move, `const __grid_constant__ CUtensorMap map`, and copies
// by `cp.async.bulk.tensor` or the functions of <cuda/ptx>.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lathe {

/// The numbers that a tensor consists of. Flushed: subnormal numbers are read as 0.
enum class TensorElement : std::uint8_t {
  uint8,
  uint16,
  uint32,
  int32,
  uint64,
  int64,
  float16,
  float32,
  float64,
  bfloat16,
  float32Flushed,
  tf32,
  tf32Flushed,
};

/// The exchange of 16-byte pieces within a tile's rows in shared memory, that keeps columns from falling into one bank:
/// the pattern repeats after so many bytes.
enum class TensorSwizzle : std::uint8_t { none, bytes32, bytes64, bytes128 };

/// The layout of channels in memory: side by side, or in blocks of so many bytes (NC/8HWC8, NC/16HWC16).
enum class TensorInterleave : std::uint8_t { none, bytes16, bytes32 };

/// A tensor of 1 to 5 dimensions and the tiles that are copied of it. The dimension whose elements lie side by side
/// comes first.
struct TensorShape {
  TensorElement element = TensorElement::float32;
  std::vector<std::uint64_t> extents;       ///< elements in each dimension, at most 2^32
  std::vector<std::uint64_t> strides = {};  ///< bytes to the next element of each dimension but the first, multiples of
                                            ///< 16; empty: no gaps
  std::vector<std::uint32_t> tile;          ///< elements of a tile in each dimension, 1 to 256
  std::vector<std::uint32_t> steps = {};    ///< takes each such element only, 1 to 8; empty: all
  TensorSwizzle swizzle = TensorSwizzle::none;
  TensorInterleave interleave = TensorInterleave::none;
  std::uint32_t cacheBytes = 0;  ///< fetched into the second-level cache at once: 0, 64, 128 or 256
  bool nanOutside = false;       ///< floats outside of the tensor are read as NaN; else everything there is 0
};

/// A tensor's address and shape in the hardware's encoding: a kernel's argument. It must not outlive the memory.
struct alignas(128) TensorMap {
  std::array<std::byte, 128> bytes = {};
};

/// Bytes of one element.
[[nodiscard]] constexpr std::size_t elementBytes(TensorElement element) noexcept {
  switch (element) {
    case TensorElement::uint8:
      return 1;
    case TensorElement::uint16:
    case TensorElement::float16:
    case TensorElement::bfloat16:
      return 2;
    case TensorElement::uint64:
    case TensorElement::int64:
    case TensorElement::float64:
      return 8;
    default:
      return 4;
  }
}

}  // namespace lathe
