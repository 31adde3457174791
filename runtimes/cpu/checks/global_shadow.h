// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of what a group's items did to the device's memory, of which a group touches little: lines of it, each
// with the cells of its words (shadow.h). Lines get their cells in the order in which a group comes to them, so that
// small groups always use the same few. Where there is no room, a line takes an older one's cells: races may be missed,
// and none is invented.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "runtimes/cpu/checks/shadow.h"

namespace lathe::detail {

class GlobalShadow {
 public:
  /// Bytes that are remembered at once.
  static constexpr std::size_t capacity = std::size_t{1} << 17;

  /// Forgets everything.
  void clear();
  /// Calls visit(cell, address) for the cells of some memory. `base` is the epoch in which the group began. Errors:
  /// std::bad_alloc.
  template <class Visit>
  void forCells(std::uintptr_t address, std::size_t bytes, std::uint32_t base, const Visit& visit) {
    const std::uintptr_t end = address + bytes;
    while (address < end) {
      const std::uintptr_t line = address / lineBytes;
      const std::size_t within = address % lineBytes;
      const std::size_t part = std::min<std::size_t>(end - address, lineBytes - within);
      const std::size_t first = placeOf(line, base) * lineBytes;
      cells_.forCells(first + within, part, base,
                      [&](ShadowCell& cell, std::size_t at) { visit(cell, line * lineBytes + (at - first)); });
      address += part;
    }
  }
  /// The cells of whole words of one line that has cells already; null where that is not so, or a word is split.
  [[nodiscard]] ShadowCell* wordsOf(std::uintptr_t address, std::size_t bytes, std::uint32_t base) noexcept {
    const std::size_t within = address % lineBytes;
    if (within + bytes > lineBytes || entries_.empty()) return nullptr;
    const std::uintptr_t line = address / lineBytes;
    for (std::size_t i = firstOf(line), last = i + window; i < last; ++i) {
      if (entries_[i].line == line && entries_[i].base == base)
        return cells_.wordsOf(entries_[i].place * lineBytes + within, bytes, base);
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t lineBytes = 64, places = capacity / lineBytes, buckets = 2 * places, window = 4;
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  /// A line's cells, of the group that began with epoch `base`.
  struct Entry {
    std::uintptr_t line = 0;
    std::uint32_t base = 0;
    std::uint32_t place = 0;  ///< in lines
  };

  /// Where a line's entry may be, with the `window` - 1 that follow. Buffers begin at round addresses: without mixing,
  /// elements of one number in each would share a place.
  [[nodiscard]] static std::size_t firstOf(std::uintptr_t line) noexcept {
    return (line ^ line >> 9 ^ line >> 18 ^ line >> 27) % buckets;
  }
  /// Where the line's cells are, in lines.
  [[nodiscard]] std::size_t placeOf(std::uintptr_t line, std::uint32_t base);
  /// Cells for a new line.
  [[nodiscard]] std::uint32_t takePlace(std::uint32_t base);

  Shadow cells_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> owners_;  ///< of each place: the entry that has it, or `nobody`
  std::uint32_t base_ = 0;             ///< of the group that places were given to last
  std::size_t given_ = 0;              ///< places given to it
};

}  // namespace lathe::detail
