// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of dynamic_programming.cu: whole tables.
#include <algorithm>

#include "tests/conformance/programs/data.h"

namespace lathe::conformance {
namespace {

void commonSubsequence(Arguments& a, const Environment&) {
  const int na = *a[1].as<int>(), nb = *a[3].as<int>();
  std::vector<std::vector<int>> table(static_cast<std::size_t>(na) + 1,
                                      std::vector<int>(static_cast<std::size_t>(nb) + 1));
  for (std::size_t i = 1; i < table.size(); ++i)
    for (std::size_t j = 1; j < table[i].size(); ++j)
      table[i][j] = a[0].as<char>()[i - 1] == a[2].as<char>()[j - 1] ? table[i - 1][j - 1] + 1
                                                                     : std::max(table[i - 1][j], table[i][j - 1]);
  *a[4].as<int>() = table.back().back();
}

void knapsack(Arguments& a, const Environment&) {
  const int capacity = *a[3].as<int>();
  int* const best = a[4].as<int>();
  for (int item = 0; item < *a[2].as<int>(); ++item)
    for (int c = capacity; c >= a[0].as<int>()[item]; --c)
      best[c] = std::max(best[c], best[c - a[0].as<int>()[item]] + a[1].as<int>()[item]);
}

void align(Arguments& a, const Environment&) {
  const int rows = *a[2].as<int>();
  for (std::size_t pair = 0; pair < a[3].count(); ++pair) {
    const char *const x = a[0].as<char>() + pair * static_cast<std::size_t>(rows), *const y =
                                                                                       a[1].as<char>() + pair * 32;
    std::vector<int> above(33), row(33);
    int& best = a[3].as<int>()[pair];
    for (int i = 0; i < rows; ++i, above = row)
      for (std::size_t j = 1; j <= 32; ++j) {
        row[j] = std::max({0, above[j - 1] + (x[i] == y[j - 1] ? 3 : -2), above[j] - 1, row[j - 1] - 1});
        best = std::max(best, row[j]);
      }
  }
}

void cheapestWay(Arguments& a, const Environment&) {
  const int width = *a[3].as<int>();
  std::vector<int> now(a[1].as<int>(), a[1].as<int>() + width), next(now.size());
  for (int r = 0; r < 4; ++r, now = next)
    for (int x = 0; x < width; ++x) {
      const auto at = [&](int i) { return now[static_cast<std::size_t>(std::clamp(i, 0, width - 1))]; };
      next[static_cast<std::size_t>(x)] = std::min({at(x - 1), at(x), at(x + 1)}) + a[0].as<int>()[r * width + x];
    }
  std::copy(now.begin(), now.end(), a[2].as<int>());
}

Argument letters(std::size_t n, std::uint64_t seed) {
  std::vector<char> out = scrambled<char>(n, seed);
  for (char& x : out) x = "acgt"[x & 3];
  return array(out);
}
Argument positives(std::size_t n, std::uint64_t seed, int most) {
  std::vector<int> out = wholeNumbers<int>(n, seed, most);
  for (int& x : out) x += most / 2 + 1;
  return array(out);
}

}  // namespace

std::vector<Case> cases_programs_dynamic_programming() {
  return {{.name = "common_subsequence",
           .kernel = "commonSubsequence",
           .launch = {.grid = {1}, .group = {64}},
           .arguments = {letters(100, 81), value(100), letters(77, 82), value(77), zeros<int>(1)},
           .reference = commonSubsequence},
          {.name = "knapsack",
           .kernel = "knapsack",
           .launch = {.grid = {1}, .group = {96}, .dynamicSharedBytes = 2 * 301 * sizeof(int)},
           .arguments = {positives(40, 83, 60), positives(40, 84, 100), value(40), value(300), zeros<int>(301)},
           .reference = knapsack},
          {.name = "align",
           .kernel = "align",
           .launch = {.grid = {2}, .group = {96}},
           .arguments = {letters(6 * 45, 85), letters(6 * 32, 86), value(45), zeros<int>(6)},
           .reference = align},
          {.name = "cheapest_way",
           .kernel = "cheapestWay<4>",
           .launch = {.grid = {4}, .group = {64}},
           .arguments = {positives(4 * 200, 87, 50), positives(200, 88, 50), zeros<int>(200), value(200)},
           .reference = cheapestWay}};
}

}  // namespace lathe::conformance
