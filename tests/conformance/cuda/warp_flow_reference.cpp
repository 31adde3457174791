// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of warp_flow.cu, which is written for warps of 32.
#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

/// A warp's values after each took that of the lane `from` names, or kept its own where that lies beyond its `width`.
template <class From>
void exchange(int* warp, int width, const From& from) {
  const std::vector<int> before(warp, warp + 32);
  for (int lane = 0; lane < 32; ++lane) {
    const int first = lane / width * width, other = from(lane);
    if (other >= first && other < first + width) warp[lane] = before[static_cast<std::size_t>(other)];
  }
}

void unlikeWarps(Arguments& a, const DeviceInfo&) {
  for (int warp = 0; warp < 4; ++warp) {
    int* const values = a[1].as<int>() + 32 * warp;
    std::copy_n(a[0].as<int>() + 32 * warp, 32, values);
    for (int turn = 0; turn <= warp; ++turn) {
      exchange(values, 32, [&](int lane) { return lane ^ (turn + 1); });
      for (int lane = 0; lane < 32; ++lane) values[lane] += turn;
    }
    if (warp % 2 == 0) {
      const auto low = static_cast<int>(std::count_if(values, values + 32, [](int x) { return x % 3 == 0; }));
      for (int lane = 0; lane < 32; ++lane) values[lane] += 1000 * low;
      if (std::any_of(values, values + 32, [](int x) { return x % 7 == 0; }))
        exchange(values, 8, [](int lane) { return lane / 8 * 8 + 5; });
    }
    for (int lane = 0; lane < 32; ++lane) values[lane] *= 3;
  }
}

void halfWarps(Arguments& a, const DeviceInfo&) {
  for (int warp = 0; warp < 3; ++warp) {
    int* const values = a[1].as<int>() + 32 * warp;
    std::copy_n(a[0].as<int>() + 32 * warp, 32, values);
    std::vector<int> upper(values, values + 32);
    exchange(upper.data(), 16, [](int lane) { return lane - 1; });
    for (int offset = 8; offset > 0; offset /= 2) {
      const std::vector<int> before(values, values + 16);
      for (int lane = 0; lane < 16; ++lane)
        values[lane] += before[static_cast<std::size_t>(lane + offset < 16 ? lane + offset : lane)];
    }
    std::copy(upper.begin() + 16, upper.end(), values + 16);
    for (int turn = 0; turn < 3; ++turn) {
      const std::vector<int> before(values, values + 32);
      for (int lane = 0; lane < 32; ++lane) values[lane] += before[static_cast<std::size_t>((lane + 1) % 32)];
    }
  }
}

void fixedShuffles(Arguments& a, const DeviceInfo&) {
  constexpr int n = 128;
  int* row = a[1].as<int>();
  const auto add = [&](int width, const auto& from) {
    std::copy_n(a[0].as<int>(), n, row);
    for (int warp = 0; warp < n; warp += 32) exchange(row + warp, width, from);
    row += n;
  };
  for (int mask = 0; mask < 32; ++mask) add(32, [=](int lane) { return lane ^ mask; });
  for (int delta = 1; delta < 16; ++delta) {
    add(16, [=](int lane) { return lane - delta; });
    add(16, [=](int lane) { return lane + delta; });
  }
  for (int delta = 1; delta < 8; ++delta) {
    add(8, [=](int lane) { return lane - delta; });
    add(8, [=](int lane) { return lane + delta; });
    add(32, [=](int) { return 4 * delta; });
  }
}

void blockSums(Arguments& a, const DeviceInfo&) {
  for (int g = 0; g < 3; ++g) {
    const int* const in = a[0].as<int>() + 256 * g;
    a[1].as<int>()[g] = std::accumulate(in, in + 256, 0);
  }
}

}  // namespace

std::vector<Case> cases_cuda_warp_flow() {
  return {{.name = "block_sums",
           .kernel = "blockSums",
           .launch = {.grid = {3}, .group = {256}},
           .arguments = {counting<int>(768, 5, -11), zeros<int>(3)},
           .reference = blockSums},
          {.name = "unlike_warps",
           .kernel = "unlikeWarps",
           .launch = {.grid = {1}, .group = {128}},
           .arguments = {counting<int>(128, 11, 2), zeros<int>(128)},
           .reference = unlikeWarps},
          {.name = "half_warps",
           .kernel = "halfWarps",
           .launch = {.grid = {1}, .group = {8, 12}},
           .arguments = {counting<int>(96, 3, 1), zeros<int>(96)},
           .reference = halfWarps},
          {.name = "fixed_shuffles",
           .kernel = "fixedShuffles",
           .launch = {.grid = {2}, .group = {64}},
           .arguments = {counting<int>(128, 7, -3), zeros<int>(128 * (32 + 2 * 15 + 3 * 7))},
           .reference = fixedShuffles}};
}

}  // namespace lathe::conformance
