// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/cpu/checks/shadow.h"

#include <algorithm>

namespace lathe::detail {

void Shadow::cover(std::size_t bytes) {
  const std::size_t words = (bytes + wordBytes - 1) / wordBytes;
  if (words <= words_.size()) return;
  words_.resize(words);
  splitSince_.resize(words);
}

void Shadow::clear() {
  std::fill(words_.begin(), words_.end(), ShadowCell());
  std::fill(bytes_.begin(), bytes_.end(), ShadowCell());
  std::fill(splitSince_.begin(), splitSince_.end(), 0);
}

void Shadow::forget(std::size_t offset, std::size_t bytes) {
  const auto first = static_cast<std::ptrdiff_t>(offset / wordBytes);
  const auto words = static_cast<std::ptrdiff_t>(bytes / wordBytes);
  std::fill_n(words_.begin() + first, words, ShadowCell());
  std::fill_n(splitSince_.begin() + first, words, 0);
}

void Shadow::split(std::size_t word, std::uint32_t base) {
  if (bytes_.size() < words_.size() * wordBytes) bytes_.resize(words_.size() * wordBytes);
  for (std::size_t i = 0; i < wordBytes; ++i) bytes_[word * wordBytes + i] = words_[word];
  splitSince_[word] = base;
}

}  // namespace lathe::detail
