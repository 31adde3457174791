// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of votes.cu. Masks name 32 threads on every target; where a subgroup has 64, its two halves vote apart.
#include <bit>
#include <numeric>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int blocks = 4, threads = 64;

/// Blocks that vote all, some and none.
std::vector<int> ballots() {
  std::vector<int> out = scrambled<int>(blocks * threads, 21);
  for (int i = 0; i < threads; ++i) {
    out[static_cast<std::size_t>(i)] = 1 + i;
    out[static_cast<std::size_t>(threads + i)] = i == 40 ? 1 : 0;
    out[static_cast<std::size_t>(2 * threads + i)] = 0;
  }
  return out;
}

void votesReference(Arguments& a, const DeviceInfo&) {
  const int* const in = a[0].as<int>();
  for (int i = 0; i < blocks * threads; ++i) {
    const int warp = i / 32 * 32, block = i / threads * threads;
    unsigned ballot = 0, count = 0;
    for (int k = 0; k < 32; ++k)
      if (in[warp + k] > 0) ballot |= 1u << k;
    for (int k = 0; k < threads; ++k) count += in[block + k] != 0;
    const unsigned row[] = {ballot, ballot != 0,      ballot == ~0u, static_cast<unsigned>(std::popcount(ballot)),
                            count,  count == threads, count != 0};
    std::copy_n(row, 7, a[1].as<unsigned>() + 7 * i);
  }
}

}  // namespace

std::vector<Case> cases_cuda_votes() {
  return {{.name = "votes",
           .kernel = "votes",
           .launch = {.grid = {blocks}, .group = {threads}},
           .arguments = {array(ballots()), zeros<unsigned>(7 * blocks * threads)},
           .reference = votesReference},
          {.name = "last_block",
           .kernel = "lastBlockSums",
           .launch = {.grid = {5}, .group = {48}},
           .arguments = {counting<int>(240, 3, -7), zeros<int>(5), zeros<int>(1)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             const int* const in = a[0].as<int>();
             for (int b = 0; b < 5; ++b) a[1].as<int>()[b] = std::accumulate(in + 48 * b, in + 48 * (b + 1), 0);
             *a[2].as<int>() = std::accumulate(in, in + 240, 0);
           }}};
}

}  // namespace lathe::conformance
