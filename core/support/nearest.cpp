// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are compared by the optimal string alignment distance (Damerau's four edits, none overlapping), in which a
// substitution that only changes case is half an edit.
#include "core/support/nearest.h"

#include <algorithm>
#include <utility>

namespace lathe::detail {
namespace {

/// Costs are in half edits.
constexpr std::size_t edit = 2;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> beforeLast(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j * edit;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i * edit;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = a[i - 1], y = b[j - 1];
      const std::size_t substitution = x == y ? 0 : lower(x) == lower(y) ? edit / 2 : edit;
      row[j] = std::min({last[j] + edit, row[j - 1] + edit, last[j - 1] + substitution});
      if (i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y) row[j] = std::min(row[j], beforeLast[j - 2] + edit);
    }
    std::swap(beforeLast, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates, std::size_t most) {
  // One edit for every three characters, and at least one: "sm90" finds "sm_90", "x" does not find "yz".
  const std::size_t limit = edit * std::max<std::size_t>(1, (name.size() + 2) / 3);
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), name.size()),
                      shorter = std::min(candidate.size(), name.size());
    if (edit * (longer - shorter) > limit) continue;
    const std::size_t away = distance(name, candidate);
    // Nothing of a short name may be left of it: every character replaced is no misspelling.
    if (away <= limit && away < edit * longer) near.emplace_back(away, candidate);
  }
  std::ranges::sort(near);
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> out;
  for (const auto& [away, candidate] : near) {
    if (out.size() == most) break;
    out.emplace_back(candidate);
  }
  return out;
}

std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates) {
  const auto near = nearest(name, candidates, 1);
  return near.empty() ? std::string() : "; did you mean '" + near.front() + "'?";
}

}  // namespace lathe::detail
