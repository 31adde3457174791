// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of rectangular copies, the same on every runtime.
#include <lathe/runtime/block.h>

#include <algorithm>
#include <cstdint>

#include "runtimes/api/checks.h"

namespace lathe::detail {
namespace {

/// The place with both pitches.
Result<BlockPlace> checkedPlace(std::size_t have, BlockPlace place, const BlockSize& size) {
  if (place.rowPitch == 0) place.rowPitch = size.rowBytes;
  if (place.rowPitch < size.rowBytes)
    return invalidArgument(
        fmt::format("memory: a pitch of {} bytes is less than the {} of a row", place.rowPitch, size.rowBytes));
  // In numbers that cannot wrap around.
  __extension__ using Wide = unsigned __int128;
  const Wide slice = Wide{size.rows} * place.rowPitch;
  if (place.slicePitch == 0 && slice <= SIZE_MAX) place.slicePitch = static_cast<std::size_t>(slice);
  if (size.slices > 1 && place.slicePitch < slice)
    return invalidArgument(fmt::format("memory: a pitch of {} bytes is less than the {} rows of {} bytes of a slice",
                                       place.slicePitch, size.rows, place.rowPitch));
  const Wide rows = Wide{size.rows - 1} * place.rowPitch + size.rowBytes;
  const Wide left = have - std::min(have, place.offset);
  if (place.offset > have || rows > left || (size.slices > 1 && (left - rows) / (size.slices - 1) < place.slicePitch))
    return invalidArgument(fmt::format(
        "memory: a block of {} × {} × {} bytes with pitches of {} and {} at offset {} does not lie within its {} bytes",
        size.rowBytes, size.rows, size.slices, place.rowPitch, place.slicePitch, place.offset, have));
  return place;
}

}  // namespace

Result<BlockCopy> checkedCopy(const BlockMemory& to, const BlockPlace& toPlace, const BlockMemory& from,
                              const BlockPlace& fromPlace, const BlockSize& size) {
  if (size.rowBytes == 0 || size.rows == 0 || size.slices == 0) return BlockCopy();
  auto checkedTo = checkedPlace(to.bytes, toPlace, size);
  if (!checkedTo) return std::move(checkedTo).error();
  auto checkedFrom = checkedPlace(from.bytes, fromPlace, size);
  if (!checkedFrom) return std::move(checkedFrom).error();
  return joined({.to = static_cast<std::byte*>(const_cast<void*>(to.address)) + checkedTo->offset,
                 .from = static_cast<const std::byte*>(from.address) + checkedFrom->offset,
                 .rowBytes = size.rowBytes,
                 .rows = size.rows,
                 .slices = size.slices,
                 .toPitch = {checkedTo->rowPitch, checkedTo->slicePitch},
                 .fromPitch = {checkedFrom->rowPitch, checkedFrom->slicePitch}});
}

}  // namespace lathe::detail
