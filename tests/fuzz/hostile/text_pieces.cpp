// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text_pieces.h"

#include <random>
#include <utility>
#include <vector>

#include "hostile.h"

namespace lathe::hostile {
namespace {

constexpr std::string_view marks = "{}[],:\n";

/// Values that readers take for something particular.
constexpr std::string_view telling[] = {"",      "\"\"",        "null",        "true",       "[]",
                                        "{}",    "0",           "-1",          "4294967296", "18446744073709551616",
                                        "1e999", "\"\\ud800\"", "\"\\u0000\"", "[[[[[[[[",   "~",
                                        "*a",    "&a 1",        "!!map 1",     "<<",         "'"};

/// Where words begin and end, marks left out.
std::vector<std::pair<std::size_t, std::size_t>> piecesOf(std::string_view text) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(marks, at), text.size());
    if (end != at) out.emplace_back(at, end);
    at = end + 1;
  }
  return out;
}

}  // namespace

std::string mutatedText(std::string text, unsigned seed) {
  const auto pieces = piecesOf(text);
  if (seed % 2 == 0 || pieces.empty()) return mutated(std::move(text));
  std::minstd_rand random(seed);
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random()) % end; };
  const auto [first, last] = pieces[below(pieces.size())];
  // A few neighbours together are a member or a list.
  const std::size_t other = below(pieces.size()), until = std::min(other + below(4), pieces.size() - 1);
  const std::string copy = text.substr(pieces[other].first, pieces[until].second - pieces[other].first);
  switch (below(5)) {
    case 0:
      return text.replace(first, last - first, copy);
    case 1:
      return text.replace(first, last - first, telling[below(std::size(telling))]);
    case 2:
      return text.erase(first, std::min(last + 1, text.size()) - first);
    case 3:
      return text.insert(first, copy + text[std::min(last, text.size() - 1)]);
    default:
      return text.replace(first, last - first, mutated(text.substr(first, last - first)));
  }
}

}  // namespace lathe::hostile
