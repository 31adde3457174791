// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is remembered of each word of a block of memory, such as a group's shared memory: the last write and two items
// that read since. A word of which single bytes are used is remembered byte by byte. After FastTrack (Flanagan, Freund,
// PLDI 2009), which keeps one epoch where no more is needed.
//
// Times only grow, over groups too: what is older than a group's begin is as if it were not there, so that nothing
// needs to be cleared between groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/abi/checks.h"

namespace lathe::detail {

/// One access, as others compare themselves with it.
struct Touch {
  std::uint32_t epoch = 0;  ///< of the item: barriers of the group it passed. 0: no access
  std::uint32_t tick = 0;   ///< of the item: meetings of its subgroup it passed
  std::uint32_t time = 0;   ///< of the group: orderings made by atomics and fences before
  std::uint32_t item = abi::noItem;
  const abi::CheckedSite* site = nullptr;

  [[nodiscard]] bool isAtomic() const noexcept { return (site->does & abi::access::atomic) != 0; }
  /// Neither atomic nor volatile.
  [[nodiscard]] bool writesPlainly() const noexcept {
    return (site->does & (abi::access::write | abi::access::atomic | abi::access::asWritten)) == abi::access::write;
  }
};

struct ShadowCell {
  Touch write;
  Touch reads[2];  ///< of different items

  /// Whether nobody else was here in the epoch of `now`.
  [[nodiscard]] bool isQuiet(const Touch& now, bool writes) const noexcept {
    const auto other = [&](const Touch& earlier) { return earlier.epoch == now.epoch && earlier.item != now.item; };
    return !other(write) && (!writes || (!other(reads[0]) && !other(reads[1])));
  }
  void note(const Touch& touch, bool writes) noexcept {
    const bool first = reads[0].epoch != touch.epoch || reads[0].item == touch.item;
    Touch& place = writes ? write : reads[first ? 0 : 1];
    place.epoch = touch.epoch;
    place.tick = touch.tick;
    place.time = touch.time;
    place.item = touch.item;
    place.site = touch.site;
  }
};

class Shadow {
 public:
  static constexpr std::size_t wordBytes = 4;

  /// For a block of so many bytes. Errors: std::bad_alloc.
  void cover(std::size_t bytes);
  /// Forgets everything.
  void clear();
  /// Forgets a part of the block, whole words.
  void forget(std::size_t offset, std::size_t bytes);

  /// The cells of an access of whole words none of which is split; null for others.
  [[nodiscard]] ShadowCell* wordsOf(std::size_t offset, std::size_t bytes, std::uint32_t base) noexcept {
    const std::size_t word = offset / wordBytes;
    if (offset % wordBytes != 0 || bytes % wordBytes != 0) return nullptr;
    if (splitSince_[word] == base) return nullptr;
    for (std::size_t i = 1; i < bytes / wordBytes; ++i)
      if (splitSince_[word + i] == base) return nullptr;
    return &words_[word];
  }
  /// Calls visit(cell, first byte) for the cells of a part of the block. `base` is the epoch in which the group began.
  template <class Visit>
  void forCells(std::size_t offset, std::size_t bytes, std::uint32_t base, const Visit& visit) {
    const std::size_t end = offset + bytes;
    while (offset < end) {
      const std::size_t word = offset / wordBytes;
      const bool whole = offset % wordBytes == 0 && end - offset >= wordBytes;
      if (whole && splitSince_[word] != base) {
        visit(words_[word], offset);
        offset += wordBytes;
        continue;
      }
      if (splitSince_[word] != base) split(word, base);
      visit(bytes_[offset], offset);
      ++offset;
    }
  }

 private:
  void split(std::size_t word, std::uint32_t base);

  std::vector<ShadowCell> words_;
  std::vector<ShadowCell> bytes_;          ///< of words that are split; empty while none was
  std::vector<std::uint32_t> splitSince_;  ///< a word's group, by its epoch, in which it was split
};

}  // namespace lathe::detail
