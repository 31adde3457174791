// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lathe::detail {

/// `text` with every `from`, which is not empty, replaced by `to`. What was put in is not looked at again.
[[nodiscard]] inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// What stands between `separator`s, empty parts too, but for one behind the last. Views of `text`.
[[nodiscard]] inline std::vector<std::string_view> parts(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    out.push_back(text.substr(0, text.find(separator)));
    text.remove_prefix(std::min(out.back().size() + 1, text.size()));
  }
  return out;
}

}  // namespace lathe::detail
