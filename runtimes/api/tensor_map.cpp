// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps: the rules that cuTensorMapEncodeTiled() in the CUDA driver API reference has for its arguments, each
// with an error of its own, for the driver says only that something is wrong.
#include <lathe/runtime/tensor_map.h>

#include <algorithm>

#include <fmt/format.h>

#include <lathe/runtime.h>

#include "runtimes/api/checks.h"
#include "runtimes/common/driver.h"

namespace lathe {
namespace {

Error wrong(std::string why) {
  return detail::invalidArgument("tensor map: " + std::move(why));
}

/// Bytes of a tile's rows after which the swizzle repeats.
std::uint64_t span(TensorSwizzle swizzle) {
  return swizzle == TensorSwizzle::none ? 256 * sizeof(double) : std::uint64_t{16} << static_cast<unsigned>(swizzle);
}

/// The alignment that addresses and strides have to have.
std::uint64_t alignment(const TensorShape& shape) {
  return shape.interleave == TensorInterleave::bytes32 ? 32 : 16;
}

Result<void> checkCounts(const TensorShape& shape) {
  const std::size_t rank = shape.extents.size();
  const std::size_t least = shape.interleave == TensorInterleave::none ? 1 : 3;
  if (rank < least || rank > 5)
    return wrong(
        fmt::format("a tensor has {} to 5 dimensions{}, not {}", least, least == 1 ? "" : " if interleaved", rank));
  if (shape.tile.size() != rank)
    return wrong(fmt::format("the tile has {} dimensions, the tensor {}", shape.tile.size(), rank));
  if (!shape.strides.empty() && shape.strides.size() != rank - 1)
    return wrong(
        fmt::format("{} strides are given; {} dimensions have {}, or none", shape.strides.size(), rank, rank - 1));
  if (!shape.steps.empty() && shape.steps.size() != rank)
    return wrong(fmt::format("{} steps are given for {} dimensions", shape.steps.size(), rank));
  return {};
}

Result<void> checkExtents(const TensorShape& shape) {
  for (std::size_t i = 0; i < shape.extents.size(); ++i) {
    if (shape.extents[i] < 1 || shape.extents[i] > std::uint64_t{1} << 32)
      return wrong(fmt::format("dimension {} has {} elements; 1 to 2^32 are possible", i, shape.extents[i]));
    if (shape.tile[i] < 1 || shape.tile[i] > 256)
      return wrong(fmt::format("the tile has {} elements in dimension {}; 1 to 256 are possible", shape.tile[i], i));
    if (!shape.steps.empty() && (shape.steps[i] < 1 || shape.steps[i] > 8))
      return wrong(fmt::format("the step of dimension {} is {}; 1 to 8 are possible", i, shape.steps[i]));
  }
  if (shape.cacheBytes != 0 && shape.cacheBytes != 64 && shape.cacheBytes != 128 && shape.cacheBytes != 256)
    return wrong(fmt::format("the cache fetches 64, 128 or 256 bytes at once, not {}", shape.cacheBytes));
  return {};
}

Result<void> checkTile(const TensorShape& shape) {
  const std::uint64_t row = shape.tile[0] * elementBytes(shape.element);
  if (shape.interleave == TensorInterleave::none && row % 16 != 0)
    return wrong(fmt::format("a row of the tile has {} bytes, no multiple of 16", row));
  if (row > span(shape.swizzle))
    return wrong(
        fmt::format("a row of the tile has {} bytes, more than the {} of the swizzle", row, span(shape.swizzle)));
  const bool isFloat = shape.element >= TensorElement::float16;
  if (shape.nanOutside && !isFloat) return wrong("integers have no NaN to be read outside of the tensor");
  return {};
}

/// `strides` of `shape`, those that it leaves out too.
std::vector<std::uint64_t> allStrides(const TensorShape& shape) {
  if (!shape.strides.empty()) return shape.strides;
  std::vector<std::uint64_t> out;
  std::uint64_t bytes = elementBytes(shape.element);
  for (std::size_t i = 0; i + 1 < shape.extents.size(); ++i) out.push_back(bytes *= shape.extents[i]);
  return out;
}

/// Errors: of a tensor that does not lie within `bytes`.
Result<void> checkPlace(const TensorShape& shape, std::uint64_t bytes) {
  std::uint64_t row = elementBytes(shape.element) * shape.extents[0], last = row;
  for (std::size_t i = 0; i < shape.strides.size(); ++i) {
    const std::uint64_t stride = shape.strides[i];
    if (stride % alignment(shape) != 0 || stride >= std::uint64_t{1} << 40)
      return wrong(fmt::format("the stride of dimension {} is {} bytes, no multiple of {} below 2^40", i + 1, stride,
                               alignment(shape)));
    if (stride < row)
      return wrong(
          fmt::format("the stride of dimension {} is {} bytes, less than the {} within it", i + 1, stride, row));
    const std::uint64_t more = shape.extents[i + 1] - 1;
    last = more != 0 && stride > (UINT64_MAX - last) / more ? UINT64_MAX : last + more * stride;
    row = stride > UINT64_MAX / shape.extents[i + 1] ? UINT64_MAX : stride * shape.extents[i + 1];
  }
  if (last <= bytes) return {};
  return wrong(fmt::format("the tensor does not lie within memory of {} bytes", bytes));
}

}  // namespace

Result<TensorMap> Device::createTensorMap(const Memory& memory, const TensorShape& shape) const {
  if (auto counts = checkCounts(shape); !counts) return std::move(counts).error();
  if (auto extents = checkExtents(shape); !extents) return std::move(extents).error();
  if (auto tile = checkTile(shape); !tile) return std::move(tile).error();
  TensorShape whole = shape;
  whole.strides = allStrides(shape);
  if (whole.steps.empty()) whole.steps.assign(shape.extents.size(), 1);
  if (auto place = checkPlace(whole, memory.bytes()); !place) return std::move(place).error();
  if (reinterpret_cast<std::uintptr_t>(memory.address()) % alignment(shape) != 0)
    return wrong(fmt::format("the memory begins at no multiple of {} bytes", alignment(shape)));
  return driver_->createTensorMap(memory.address(), whole);
}

}  // namespace lathe
