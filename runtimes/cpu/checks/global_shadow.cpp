// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/cpu/checks/global_shadow.h"

namespace lathe::detail {

void GlobalShadow::clear() {
  std::fill(entries_.begin(), entries_.end(), Entry());
  cells_.clear();
  base_ = 0;
}

std::size_t GlobalShadow::placeOf(std::uintptr_t line, std::uint32_t base) {
  if (entries_.empty()) {
    cells_.cover(capacity);
    owners_.assign(places, nobody);
    entries_.resize(buckets + window);
  }
  if (base_ != base) {
    base_ = base;
    given_ = 0;
  }
  const std::size_t first = firstOf(line);
  std::size_t free = first + window;
  for (std::size_t i = first; i < first + window; ++i) {
    if (entries_[i].base != base) {
      free = std::min(free, i);
    } else if (entries_[i].line == line) {
      return entries_[i].place;
    }
  }
  if (free == first + window) {  // another line makes room
    Entry& other = entries_[first + line % window];
    other.line = line;
    cells_.forget(other.place * lineBytes, lineBytes);
    return other.place;
  }
  const std::uint32_t place = takePlace(base);
  entries_[free] = {line, base, place};
  owners_[place] = static_cast<std::uint32_t>(free);
  return place;
}

/// What an earlier group left in a place is older than this one, and so need not be forgotten.
std::uint32_t GlobalShadow::takePlace(std::uint32_t base) {
  const auto place = static_cast<std::uint32_t>(given_ % places);
  if (given_++ < places) return place;
  Entry& loser = entries_[owners_[place]];
  if (loser.base == base && loser.place == place) loser = {};
  cells_.forget(place * lineBytes, lineBytes);
  return place;
}

}  // namespace lathe::detail
