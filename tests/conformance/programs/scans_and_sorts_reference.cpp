// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of scans_and_sorts.cu: the standard library's algorithms.
#include <algorithm>
#include <numeric>

#include "tests/conformance/programs/data.h"

namespace lathe::conformance {
namespace {

void blelloch(Arguments& a, const Environment&) {
  for (int block = 0; block < 3; ++block) {
    const int* const in = a[0].as<int>() + 128 * block;
    std::exclusive_scan(in, in + 128, a[1].as<int>() + 128 * block, 0);
    a[2].as<int>()[block] = std::accumulate(in, in + 128, 0);
  }
}
void sortBlocks(Arguments& a, const Environment&) {
  for (std::size_t i = 0; i < a[0].count(); i += 256) std::sort(a[0].as<unsigned>() + i, a[0].as<unsigned>() + i + 256);
}
void sortPairs(Arguments& a, const Environment&) {
  const int n = *a[4].as<int>();
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  const std::vector<unsigned> keys(a[0].as<unsigned>(), a[0].as<unsigned>() + n);
  std::stable_sort(order.begin(), order.end(),
                   [&](int x, int y) { return keys[static_cast<std::size_t>(x)] < keys[static_cast<std::size_t>(y)]; });
  for (int i = 0; i < n; ++i) {
    const int from = order[static_cast<std::size_t>(i)];
    a[0].as<unsigned>()[i] = keys[static_cast<std::size_t>(from)];
    a[1].as<int>()[i] = from;
  }
}
/// The spare arrays hold what the last pass but one left: not part of the result.
void forgetSpares(Arguments& a) {
  std::ranges::fill(a[2].bytes, std::byte{});
  std::ranges::fill(a[3].bytes, std::byte{});
}
void histogram(Arguments& a, const Environment&) {
  for (int i = 0; i < *a[2].as<int>() / 4 * 4; ++i) ++a[1].as<unsigned>()[a[0].as<unsigned char>()[i]];
}
void compact(Arguments& a, const Environment&) {
  for (int i = 0; i < *a[3].as<int>(); ++i)
    if (a[0].as<int>()[i] > 0) a[1].as<int>()[(*a[2].as<int>())++] = a[0].as<int>()[i];
}
void segmentedSum(Arguments& a, const Environment&) {
  for (int i = 0; i < *a[3].as<int>(); ++i) a[2].as<int>()[a[0].as<int>()[i]] += a[1].as<int>()[i];
}
Argument runs(int n) {
  std::vector<int> out;
  const std::vector<std::uint32_t> lengths = scrambled<std::uint32_t>(static_cast<std::size_t>(n), 36);
  for (std::size_t run = 0; out.size() < static_cast<std::size_t>(n); ++run)
    out.insert(out.end(), 1 + lengths[run] % 50, static_cast<int>(run));
  out.resize(static_cast<std::size_t>(n));
  return array(out);
}
void mergeLists(Arguments& a, const Environment&) {
  const int *const x = a[0].as<int>(), *const y = a[2].as<int>();
  std::merge(x, x + *a[1].as<int>(), y, y + *a[3].as<int>(), a[4].as<int>());
}
Argument sorted(std::size_t n, std::uint64_t seed) {
  std::vector<int> out = wholeNumbers<int>(n, seed, 500);
  std::ranges::sort(out);
  return array(out);
}

}  // namespace

std::vector<Case> cases_programs_scans_and_sorts() {
  return {{.name = "blelloch",
           .kernel = "blelloch<64>",
           .launch = {.grid = {3}, .group = {64}},
           .arguments = {wholes<int>(384, 31, 200), zeros<int>(384), zeros<int>(3)},
           .reference = blelloch},
          {.name = "bitonic",
           .kernel = "bitonic",
           .launch = {.grid = {2}, .group = {96}, .dynamicSharedBytes = 256 * sizeof(unsigned)},
           .arguments = {array(scrambled<unsigned>(512, 32)), value(256)},
           .reference = sortBlocks},
          {.name = "radix_sort",
           .kernel = "radixSort",
           .launch = {.grid = {1}, .group = {128}},
           .arguments = {wholes<unsigned>(333, 33, 1 << 30), counting<int>(333), zeros<unsigned>(333), zeros<int>(333),
                         value(333)},
           .reference = sortPairs,
           .normalise = forgetSpares},
          {.name = "histogram",
           .kernel = "histogram",
           .launch = {.grid = {3}, .group = {256}},
           .arguments = {array(scrambled<unsigned char>(5000, 34)), zeros<unsigned>(256), value(5000)},
           .reference = histogram},
          {.name = "compact",
           .kernel = "compact",
           .launch = {.grid = {5}, .group = {96}},
           .arguments = {wholes<int>(450, 35, 100), zeros<int>(480), zeros<int>(1), value(450)},
           .reference = compact,
           .normalise = [](Arguments& a) { std::sort(a[1].as<int>(), a[1].as<int>() + *a[2].as<int>()); }},
          {.name = "segmented_sum",
           .kernel = "segmentedSum",
           .launch = {.grid = {4}, .group = {128}},
           .arguments = {runs(500), wholes<int>(500, 37, 100), zeros<int>(500), value(500)},
           .reference = segmentedSum},
          {.name = "merge",
           .kernel = "mergeLists",
           .launch = {.grid = {3}, .group = {32}},
           .arguments = {sorted(300, 38), value(300), sorted(170, 39), value(170), zeros<int>(470), value(5)},
           .reference = mergeLists}};
}

}  // namespace lathe::conformance
