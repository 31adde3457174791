// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int threads = 96, warp = 32, columns = 16;

/// Which threads of a warp are in the caller's part, and which part of how many that is.
struct Part {
  std::vector<int> lanes = {};
  int place = 0, count = 1;
};

void put(int* row, const Part& part, int lane) {
  row[0] = static_cast<int>(std::find(part.lanes.begin(), part.lanes.end(), lane) - part.lanes.begin());
  row[1] = static_cast<int>(part.lanes.size());
  row[2] = part.place;
  row[3] = part.count;
}

/// The part of `all` in which each rank's `key` is that of `lane`; parts are numbered by their first rank.
template <class Key>
Part partOf(const std::vector<int>& all, int lane, Key key) {
  std::vector<int> keys;
  for (const int other : all)
    if (std::find(keys.begin(), keys.end(), key(other)) == keys.end()) keys.push_back(key(other));
  Part out{.place = static_cast<int>(std::find(keys.begin(), keys.end(), key(lane)) - keys.begin()),
           .count = static_cast<int>(keys.size())};
  for (const int other : all)
    if (key(other) == key(lane)) out.lanes.push_back(other);
  return out;
}

void parts(Arguments& a, const DeviceInfo&) {
  for (int first = 0; first < threads; first += warp) {
    const int* labels = a[0].as<int>() + first;
    std::vector<int> all;
    for (int lane = 0; lane < warp; ++lane)
      if (labels[lane] >= 0) all.push_back(lane);
    const auto rank = [&](int lane) { return static_cast<int>(std::find(all.begin(), all.end(), lane) - all.begin()); };
    for (const int lane : all) {
      int* row = a[1].as<int>() + (first + lane) * columns;
      put(row, partOf(all, lane, [&](int other) { return rank(other) / 4; }), lane);
      put(row + 4, partOf(all, lane, [&](int other) { return labels[other]; }), lane);
      Part two = partOf(all, lane, [&](int other) { return labels[other] < 2; });
      if (two.count == 2) two.place = labels[lane] < 2;
      put(row + 8, two, lane);
      put(row + 12, partOf(all, lane, [&](int other) { return rank(other) / 16; }), lane);
      const Part eight = partOf(all, lane, [&](int other) { return rank(other) / 8; });
      row[14] = rank(lane) % 8 + 100 * static_cast<int>(eight.lanes.size());
    }
  }
}

}  // namespace

std::vector<Case> cases_cuda_partitions() {
  // A full warp, one with gaps, one whose threads all agree.
  std::vector<int> labels(threads);
  for (int i = 0; i < threads; ++i) labels[i] = i < 32 ? i * 7 % 5 : i < 64 ? i % 3 == 0 ? -1 : i % 4 : 3;
  return {{.name = "parts",
           .kernel = "parts",
           .launch = {.group = {threads}},
           .arguments = {array(labels), zeros<int>(threads * columns)},
           .reference = parts}};
}

}  // namespace lathe::conformance
