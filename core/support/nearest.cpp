// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are compared by the optimal string alignment distance (Damerau's four edits, none overlapping), in which a
// substitution that only changes case is half an edit.
#include "core/support/nearest.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lathe::detail {
namespace {

/// Costs are in half edits.
constexpr std::size_t edit = 2;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Names above this length get no suggestion: the work grows with the product of two lengths.
constexpr std::size_t mostLetters = 1024;

/// The letters of a name without their order. Few names of a long list have nearly the same ones, and each edit changes
/// one at most.
class Letters {
 public:
  explicit Letters(std::string_view name) : length_(name.size()) {
    for (const char c : name) ++left_[index(c)];
  }
  /// At most the distance between the name and `other`.
  std::size_t leastDistance(std::string_view other) {
    std::size_t extra = 0;
    for (const char c : other) extra += --left_[index(c)] < 0 ? 1 : 0;
    for (const char c : other) ++left_[index(c)];
    const std::size_t shared = other.size() - extra;
    return edit * std::max(extra, length_ - shared);
  }

 private:
  static unsigned char index(char c) { return static_cast<unsigned char>(lower(c)); }
  std::size_t length_;
  std::array<int, 256> left_{};
};

/// The rows of the table that distance() fills, kept from one pair of names to the next.
struct Rows {
  std::vector<std::size_t> beforeLast, last, row;
};

/// The distance between `a` and `b`, or some number above `limit` if it exceeds that.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit, Rows& rows) {
  auto& [beforeLast, last, row] = rows;
  for (auto* const one : {&beforeLast, &last, &row}) one->assign(b.size() + 1, 0);
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
    // Later rows build on these two only. Most names of a long list are given up after a few letters.
    if (std::min(std::ranges::min(last), std::ranges::min(beforeLast)) > limit) return limit + 1;
  }
  return last[b.size()];
}

}  // namespace

std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates, std::size_t most) {
  if (name.size() > mostLetters) return {};
  // One edit for every three characters, and at least one: "sm90" finds "sm_90", "x" does not find "yz".
  const std::size_t limit = edit * std::max<std::size_t>(1, (name.size() + 2) / 3);
  std::vector<std::pair<std::size_t, std::string_view>> near;
  Rows rows;
  Letters letters(name);
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), name.size()),
                      shorter = std::min(candidate.size(), name.size());
    if (edit * (longer - shorter) > limit || letters.leastDistance(candidate) > limit) continue;
    const std::size_t away = distance(name, candidate, limit, rows);
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
