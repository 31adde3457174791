// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rectangular copy between two addresses, in the form that all runtimes get it.
#pragma once

#include <cstddef>

#include <lathe/result.h>

namespace lathe::detail {

/// `slices` times `rows` rows of `rowBytes` bytes; none of the three is 0 where a runtime gets it. Pitches are in
/// bytes: a row's is not below `rowBytes`, a slice's not below `rows` times the row's; where there is but one row or
/// one slice, its pitch means nothing.
struct BlockCopy {
  struct Pitch {
    std::size_t row = 0, slice = 0;
  };
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t rowBytes = 0, rows = 0, slices = 0;
  Pitch toPitch, fromPitch;
};

/// The same copy in as few rows, then slices, as can be: what has no gaps on either side becomes one row.
[[nodiscard]] constexpr BlockCopy joined(BlockCopy block) noexcept {
  const auto follow = [](const BlockCopy::Pitch& pitch, std::size_t rows) { return pitch.slice == rows * pitch.row; };
  if (block.slices > 1 && block.rows > 1 && follow(block.toPitch, block.rows) && follow(block.fromPitch, block.rows)) {
    block.rows *= block.slices;
    block.slices = 1;
  }
  if (block.rows > 1 && block.toPitch.row == block.rowBytes && block.fromPitch.row == block.rowBytes) {
    block.rowBytes *= block.rows;
    block.rows = 1;
  }
  if (block.rows == 1) {
    block.toPitch.row = block.slices > 1 ? block.toPitch.slice : block.rowBytes;
    block.fromPitch.row = block.slices > 1 ? block.fromPitch.slice : block.rowBytes;
    block.rows = block.slices;
    block.slices = 1;
    if (block.rows > 1 && block.toPitch.row == block.rowBytes && block.fromPitch.row == block.rowBytes) {
      block.rowBytes *= block.rows;
      block.rows = 1;
    }
  }
  if (block.slices == 1) {
    block.toPitch.slice = block.rows * block.toPitch.row;
    block.fromPitch.slice = block.rows * block.fromPitch.row;
  }
  return block;
}

/// Calls copy(to, from, bytes) for each row of `block`, up to the first that fails: a result, or a driver's status.
template <class Copy>
auto eachRow(const BlockCopy& block, const Copy& copy) -> decltype(copy(block.to, block.from, block.rowBytes)) {
  const auto fails = [](const auto& status) {
    if constexpr (requires { status.error(); }) {
      return !status;
    } else {
      return status != 0;
    }
  };
  for (std::size_t slice = 0; slice < block.slices; ++slice) {
    for (std::size_t row = 0; row < block.rows; ++row) {
      auto status =
          copy(static_cast<std::byte*>(block.to) + slice * block.toPitch.slice + row * block.toPitch.row,
               static_cast<const std::byte*>(block.from) + slice * block.fromPitch.slice + row * block.fromPitch.row,
               block.rowBytes);
      if (fails(status)) return status;
    }
  }
  return {};
}

/// Calls copy(slice) for each slice of `block`, up to the first status that is not 0.
template <class Copy>
int eachSlice(const BlockCopy& block, const Copy& copy) {
  for (std::size_t slice = 0; slice < block.slices; ++slice) {
    BlockCopy part = block;
    part.to = static_cast<std::byte*>(block.to) + slice * block.toPitch.slice;
    part.from = static_cast<const std::byte*>(block.from) + slice * block.fromPitch.slice;
    part.slices = 1;
    part.toPitch.slice = part.rows * part.toPitch.row;
    part.fromPitch.slice = part.rows * part.fromPitch.row;
    if (const int status = copy(part); status != 0) return status;
  }
  return 0;
}

/// Calls copy(part) for blocks that together are `block`, up to the first status that is not 0: the block itself if the
/// slice's pitch of each side is a multiple of the row's, which is all that drivers can say, else its slices.
template <class Copy>
int eachRegular(const BlockCopy& block, const Copy& copy) {
  const auto isRegular = [](const BlockCopy::Pitch& pitch) { return pitch.slice % pitch.row == 0; };
  if (block.slices == 1 || (isRegular(block.toPitch) && isRegular(block.fromPitch))) return copy(block);
  return eachSlice(block, copy);
}

}  // namespace lathe::detail
