// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of barriers.cpp.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr unsigned groups = 4, items = 72;  // no multiple of a subgroup

/// Groups in which all, some, one and no items vote.
std::vector<unsigned> ballots() {
  std::vector<unsigned> out(groups * items);
  for (unsigned i = 0; i < items; ++i) {
    out[i] = 1 + i;
    out[items + i] = i % 3;
    out[2 * items + i] = i == items - 1 ? 0x80000000u : 0;
  }
  return out;
}

void votes(Arguments& a, const DeviceInfo&) {
  for (unsigned g = 0; g < groups; ++g) {
    unsigned count = 0;
    for (unsigned i = 0; i < items; ++i) count += a[0].as<unsigned>()[g * items + i] != 0;
    for (unsigned i = 0; i < items; ++i) {
      unsigned* const row = a[1].as<unsigned>() + 3 * (g * items + i);
      row[0] = count;
      row[1] = count == items;
      row[2] = count != 0;
    }
  }
}

void reversed(Arguments& a, const DeviceInfo&) {
  for (int g = 0; g < 2; ++g) {
    int* const mine = a[0].as<int>() + 100 * g;
    const std::vector<int> tile(mine, mine + 100);
    for (int i = 0; i < 100; ++i)
      mine[i] = tile[static_cast<std::size_t>(99 - i)] - tile[static_cast<std::size_t>((i + 1) % 100)];
  }
}

constexpr unsigned rounds = 9;

void gridRounds(Arguments& a, const DeviceInfo&) {
  auto* const values = a[0].as<unsigned>();
  constexpr unsigned count = groups * items;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned* const before = values + round * count;
    for (unsigned i = 0; i < count; ++i) values[(round + 1) * count + i] = before[i] * 3 + before[(i + items) % count];
  }
}

/// Launched without clusters, so that each group is one.
void clusterSums(Arguments& a, const DeviceInfo&) {
  for (unsigned i = 0; i < 128; ++i) {
    a[1].as<unsigned>()[i] = 1;
    a[1].as<unsigned>()[128 + i] = a[0].as<unsigned>()[i / 64 * 64 + 63 - i % 64];
  }
}

}  // namespace

std::vector<Case> cases_kernels_barriers() {
  return {{.name = "votes",
           .kernel = "votes",
           .launch = {.grid = {groups}, .group = {items}},
           .arguments = {array(ballots()), zeros<unsigned>(3 * groups * items)},
           .reference = votes},
          {.name = "scalar_shared_flag_twice",
           .kernel = "flag_twice",
           .launch = {.grid = {3}, .group = {items}},
           .arguments = {counting<int>(3, 5, 4), zeros<int>(6 * items)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 for (unsigned i = 0; i < 3 * items; ++i) {
                   a[1].as<int>()[2 * i] = 1;
                   a[1].as<int>()[2 * i + 1] = a[0].as<int>()[i / items];
                 }
               }},
          {.name = "neighbours",
           .kernel = "reversed",
           .launch = {.grid = {2}, .group = {5, 4, 5}},
           .arguments = {counting<int>(200, 37, -900)},
           .reference = reversed},
          {.name = "grid_rounds",
           .kernel = "grid_rounds",
           .launch = {.grid = {groups}, .group = {items}, .cooperative = true},
           .arguments = {counting<unsigned>(groups * items * (rounds + 1), 2654435761u), value(rounds)},
           .reference = gridRounds},
          {.name = "clusters_of_one",
           .kernel = "cluster_sums",
           .launch = {.grid = {2}, .group = {64}},
           .arguments = {counting<unsigned>(128, 77), zeros<unsigned>(256)},
           .reference = clusterSums}};
}

}  // namespace lathe::conformance
