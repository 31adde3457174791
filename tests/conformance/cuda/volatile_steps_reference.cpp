// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of volatile_steps.cu.
#include <numeric>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int n = 256, blocks = 3, scanned = 128, rounds = 7;

void sums(Arguments& a, const DeviceInfo&) {
  for (int block = 0; block < blocks; ++block) {
    const int* const in = a[0].as<int>() + block * n;
    a[1].as<int>()[block] = std::accumulate(in, in + n, 0);
  }
}

void scan(Arguments& a, const DeviceInfo&) {
  const int* const in = a[0].as<int>();
  int* const out = a[1].as<int>();
  for (int i = 0; i < scanned; ++i) out[i] = in[i] + (i % 32 ? out[i - 1] : 0);
}

void exchanged(Arguments& a, const DeviceInfo&) {
  std::vector<int> now(a[0].as<int>(), a[0].as<int>() + scanned);
  for (int round = 0; round < rounds; ++round) {
    const std::vector<int> before = now;
    for (int i = 0; i < scanned; ++i)
      now[static_cast<std::size_t>(i)] = before[static_cast<std::size_t>(i ^ (1 << round % 5))] + round;
  }
  std::copy(now.begin(), now.end(), a[1].as<int>());
}

}  // namespace

std::vector<Case> cases_cuda_volatile_steps() {
  return {{.name = "end_of_a_tree",
           .kernel = "tree<256>",
           .launch = {.grid = {blocks}, .group = {n}, .dynamicSharedBytes = n * sizeof(int)},
           .arguments = {counting<int>(n * blocks, 7, -300), zeros<int>(blocks)},
           .reference = sums},
          {.name = "padded_scan",
           .kernel = "paddedScan",
           .launch = {.grid = {1}, .group = {scanned}},
           .arguments = {counting<int>(scanned, 5, -100), zeros<int>(scanned)},
           .reference = scan},
          {.name = "exchange",
           .kernel = "exchange",
           .launch = {.grid = {1}, .group = {scanned}},
           .arguments = {counting<int>(scanned, 3, 11), zeros<int>(scanned), value(rounds)},
           .reference = exchanged}};
}

}  // namespace lathe::conformance
