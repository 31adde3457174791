// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of device_launch.cu. Its kernels weigh, square, addOne, note and reversed are launched by others.
#include <algorithm>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int items = 100, sorted = 300;

void noteBehind(int* log, int depth) {
  const auto note = [&](int what) { log[1 + log[0]++] = what; };
  note(depth);
  if (depth > 0) noteBehind(log, depth - 1);
  note(10 + depth);
  note(100 + depth);
}

std::vector<int> small(std::size_t n, std::uint64_t seed) {
  std::vector<int> out = scrambled<int>(n, seed);
  for (int& x : out) x = static_cast<int>(static_cast<unsigned>(x) % 1000);
  return out;
}

}  // namespace

std::vector<Case> cases_cuda_device_launch() {
  std::vector<Case> out;
  out.push_back({.name = "everyArgument",
                 .kernel = "everyArgument",
                 .launch = {.grid = {2}, .group = {32}},
                 .arguments = {counting<int>(items), zeros<long long>(items), value(items)},
                 .reference = [](Arguments& a, const Environment&) {
                   for (int i = 0; i < items; ++i)
                     a[1].as<long long>()[i] = -(static_cast<long long>(a[0].as<int>()[i] * 2.5) - 7 + 3 + 30000);
                 }});
  out.push_back({.name = "pipeline",
                 .kernel = "pipeline",
                 .launch = {.grid = {4}, .group = {32}},
                 .arguments = {array(small(200, 1)), value(200)},
                 .reference = [](Arguments& a, const Environment&) {
                   for (int i = 0; i < 200; ++i) {
                     int& x = a[0].as<int>()[i];
                     x += 2;
                     for (int round = 0; round < 3; ++round) x = x * x % 10007 + 1;
                   }
                 }});
  out.push_back(
      {.name = "quicksort",
       .kernel = "quicksort",
       .launch = {.grid = {1}, .group = {1}},
       .arguments = {array(small(sorted, 2)), value(0), value(sorted - 1), value(12)},
       .reference = [](Arguments& a, const Environment&) { std::sort(a[0].as<int>(), a[0].as<int>() + sorted); }});
  out.push_back({.name = "behind",
                 .kernel = "behind",
                 .launch = {.grid = {1}, .group = {4}},
                 .arguments = {zeros<int>(32), value(4)},
                 .reference = [](Arguments& a, const Environment&) { noteBehind(a[0].as<int>(), 4); }});
  out.push_back({.name = "repeat",
                 .kernel = "repeat",
                 .launch = {.grid = {1}, .group = {8}},
                 .arguments = {zeros<int>(8), value(200)},
                 .reference = [](Arguments& a, const Environment&) {
                   for (unsigned i = 0; i < 8; ++i) {
                     unsigned& x = a[0].as<unsigned>()[i];
                     for (unsigned left = 201; left-- > 0;) x = x * 3 + left;
                   }
                 }});
  out.push_back({.name = "chosen",
                 .kernel = "chosen",
                 .launch = {.grid = {1}, .group = {32}},
                 .arguments = {counting<int>(64, 1, 1), value(64), counting<int>(1, 1, 5)},
                 .reference = [](Arguments& a, const Environment&) {
                   int* const data = a[0].as<int>();
                   std::reverse(data, data + 64);
                   for (int i = 0; i < 64; ++i) data[i] *= -3;
                   *a[2].as<int>() = 0;
                 }});
  return out;
}

}  // namespace lathe::conformance
