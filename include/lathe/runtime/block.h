// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rectangular blocks of memory with one, two or three dimensions, for copies that leave gaps between rows and slices:
//
//   // The 64 × 32 floats in the middle of an image of 640 × 480, to rows without gaps on the host.
//   auto done = image->memory().downloadBlock(
//       {.offset = (224 * 640 + 288) * 4, .rowPitch = 640 * 4}, tile, {}, {.rowBytes = 64 * 4, .rows = 32});
//
// Memory::uploadBlock() and its like wait (<lathe/runtime/memory.h>), those of Stream are queued.
#pragma once

#include <cstddef>

namespace lathe {

/// The size of a block: `slices` times `rows` rows of `rowBytes` bytes each. Without one of them nothing is copied.
struct BlockSize {
  std::size_t rowBytes = 0;
  std::size_t rows = 1;
  std::size_t slices = 1;
};

/// The place of a block in memory, in bytes. Rows and slices do not overlap: a pitch is not smaller than what it steps
/// over.
struct BlockPlace {
  std::size_t offset = 0;      ///< of the first byte
  std::size_t rowPitch = 0;    ///< from the beginning of a row to that of the next; 0: rows follow without gaps
  std::size_t slicePitch = 0;  ///< from the beginning of a slice to that of the next; 0: slices follow without gaps
};

}  // namespace lathe
