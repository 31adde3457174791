// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of many_registers.cu.
#include <algorithm>
#include <array>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t threads = 32;
constexpr int width = 4, steps = 3, each = 12, turns = 40;
using Key = std::array<std::uint32_t, 30>;

void rows(Arguments& a, const DeviceInfo&) {
  const auto* const in = a[1].as<std::uint32_t>();
  for (int step = 0; step < steps; ++step) {
    for (int x = 0; x < static_cast<int>(threads); ++x) {
      auto sum = static_cast<std::uint32_t>(step);
      for (int k = 3; k <= 25; k += 2)
        for (int i = 0; i < width * k + 5 - step; ++i) sum = sum * 3 + in[(x + k) * width * k + i * k];
      a[0].as<std::uint32_t>()[step * static_cast<int>(threads) + x] = sum;
    }
  }
}

/// std::array compares as the kernel's keys do, word by word.
void merge(Arguments& a, const DeviceInfo&) {
  const auto* const in = a[1].as<Key>();
  for (int thread = 0; thread < each; ++thread) {
    Key* to = a[0].as<Key>() + thread * 2 * each;
    for (int first = thread, second = each; first < each || second < 2 * each; ++to) {
      const bool takesSecond = second < 2 * each && (first >= each || in[second] < in[first]);
      *to = in[takesSecond ? second++ : first++];
    }
  }
}

void chosen(Arguments& arguments, const DeviceInfo&) {
  const auto* const in = arguments[1].as<Key>();
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    std::array<Key, 3> keys{in[8], in[9], in[10]};
    auto& [a, b, last] = keys;
    last[3] = thread;
    for (unsigned i = 0; i < turns; ++i) {
      const std::uint32_t bits = in[i % 8][i % 30] >> thread % 16;
      const Key next = (bits & 1) != 0 ? in[i % 8] : last;
      ((bits & 2) != 0 ? a : b) = next;
      if ((bits & 4) != 0) {
        a = in[(i + 3) % 8];
      } else {
        last = (bits & 8) != 0 ? a : b;
      }
      a[i % 3] += bits;
      if (bits % 4 == 0) a = b;
      if (bits % 4 == 1) b = last;
      if (bits % 4 > 1) b[2] ^= a[7];
    }
    for (std::size_t k = 0; k < 3; ++k) arguments[0].as<Key>()[3 * thread + k] = keys[k];
  }
}

/// Two lists in order, of keys of which many begin alike, and one more.
std::vector<Key> lists() {
  std::vector<Key> out(2 * each + 1);
  const auto words = scrambled<std::uint32_t>(out.size(), 41);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].fill(7);
    out[i][i % 2 == 0 ? 29 : 11] = words[i];
  }
  std::ranges::sort(out.begin(), out.begin() + each);
  std::ranges::sort(out.begin() + each, out.begin() + 2 * each);
  return out;
}

}  // namespace

std::vector<Case> cases_cuda_many_registers() {
  constexpr std::size_t keyWords = std::tuple_size_v<Key>;
  return {{.name = "rows",
           .kernel = "rows",
           .launch = {.grid = {1}, .group = {threads}},
           .arguments = {zeros<std::uint32_t>(steps * threads), array(scrambled<std::uint32_t>(9000, 37)), value(width),
                         value(steps)},
           .reference = rows},
          {.name = "merge",
           .kernel = "merge",
           .launch = {.grid = {1}, .group = {each}},
           .arguments = {zeros<std::uint32_t>(2 * each * each * keyWords), array(lists()), value(each)},
           .reference = merge},
          {.name = "chosen",
           .kernel = "chosen",
           .launch = {.grid = {1}, .group = {threads}},
           .arguments = {zeros<std::uint32_t>(3 * threads * keyWords),
                         array(scrambled<std::uint32_t>(11 * keyWords, 39)), value(turns)},
           .reference = chosen}};
}

}  // namespace lathe::conformance
