// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of split_barriers.cu: what each thread must have seen, phase by phase.
#include <vector>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t groups = 3, items = 128, width = 96;
constexpr int rounds = 7;
constexpr std::size_t roundCount = rounds;

/// As the kernels ask.
bool haveCounters(const Environment& where) {
  return where.target != "amdgpu";
}

/// Of integers as the hardware adds them.
int times(int a, int b, int c) {
  return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b) + static_cast<unsigned>(c));
}

/// Threads from `makers` on add up the batches, each beginning a place further than before.
void exchanged(Arguments& a, std::size_t makers, int ofMakers) {
  const std::size_t readers = items - makers;
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t i = 0; i < items; ++i) {
      int sum = 0;
      for (std::size_t round = 0; round < roundCount && i >= makers; ++round) {
        for (std::size_t k = (i - makers + round) % readers; k < width; k += readers)
          sum = times(sum, 3, a[0].as<int>()[(group * roundCount + round) * width + k]);
      }
      a[1].as<int>()[group * items + i] = i < makers ? ofMakers : sum;
    }
  }
}

void phases(Arguments& a, const Environment&) {
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t size = width;
    std::vector<int> values(a[0].as<int>() + group * size, a[0].as<int>() + (group + 1) * size);
    for (int round = 0; round < rounds; ++round) {
      const std::vector<int> before = values;
      for (std::size_t i = 0; i < size; ++i) {
        values[i] = before[(i + 7) % size];
        for (unsigned k = 0; k < i % 5; ++k) values[i] = times(1, values[i], before[i] >> k);
      }
    }
    std::copy(values.begin(), values.end(), a[1].as<int>() + group * size);
  }
}

void leaving(Arguments& a, const Environment& where) {
  const std::size_t together = haveCounters(where) ? 1 : where.subgroupSize;
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t i = 0; i < items; ++i) {
      int sum = 0;
      for (std::size_t round = 0; round < i / together % 5; ++round) {
        int here = 0;
        for (std::size_t other = 0; other < items; ++other) here += other / together % 5 > round;
        sum = times(sum, 100, here);
      }
      a[0].as<int>()[group * items + i] = sum;
    }
  }
}

void counts(Arguments& a, const Environment&) {
  const auto some = static_cast<std::size_t>(*a[2].as<int>());
  std::vector<int> values(a[0].as<int>(), a[0].as<int>() + some);
  for (int round = 0; round < 3; ++round) {
    const std::vector<int> before = values;
    for (std::size_t i = 0; i < some; ++i) values[i] = times(1, before[i], before[some - 1 - i]);
  }
  std::copy(values.begin(), values.end(), a[1].as<int>());
}

void parities(Arguments& a, const Environment& where) {
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t i = where.subgroupSize; i < items; ++i) {
      int sum = static_cast<int>(i);
      for (std::size_t round = 0; round < roundCount; ++round)
        sum = times(sum, 5, a[0].as<int>()[group * roundCount + round]);
      a[1].as<int>()[group * items + i] = sum;
    }
  }
}

void scopes(Arguments& a, const Environment&) {
  for (std::size_t group = 0; group < groups; ++group) {
    std::vector<int> values(a[0].as<int>() + group * width, a[0].as<int>() + (group + 1) * width);
    for (int round = 0; round < 4; ++round) {
      const std::vector<int> before = values;
      for (std::size_t i = 0; i < width; ++i) values[i] = times(before[i], 3, before[width - 1 - i]);
    }
    std::copy(values.begin(), values.end(), a[1].as<int>() + group * width);
  }
  std::fill_n(a[2].as<std::uint64_t>(), groups, 0);
}

/// `makers`: 0 for a warp, which it is on AMD anyway.
Case roles(const char* kernel, std::size_t makers, int ofMakers) {
  return {.name = kernel,
          .kernel = kernel,
          .launch = {.grid = {groups}, .group = {items}},
          .arguments = {counting<int>(groups * roundCount * width, 7, -300), zeros<int>(groups * items), value(rounds)},
          .reference = [makers, ofMakers](Arguments& a, const Environment& where) {
            exchanged(a, makers != 0 && haveCounters(where) ? makers : where.subgroupSize, ofMakers);
          }};
}

Case scoped(const char* name, const char* kernel) {
  return {.name = name,
          .kernel = kernel,
          .launch = {.grid = {groups}, .group = {width}},
          .arguments = {counting<int>(groups * width, 5, 11), zeros<int>(groups * width), zeros<std::uint64_t>(groups)},
          .reference = scopes,
          // What a barrier is in memory is its own affair.
          .normalise = [](Arguments& a) { std::fill_n(a[2].as<std::uint64_t>(), groups, 0); }};
}

}  // namespace

std::vector<Case> cases_cuda_split_barriers() {
  return {roles("warps", 0, -1),
          roles("lanes", 3, -1),
          roles("pipeline", 0, 0),
          {.name = "phases",
           .kernel = "phases",
           .launch = {.grid = {groups}, .group = {width}},
           .arguments = {counting<int>(groups * width, 13, -7), zeros<int>(groups * width), value(rounds)},
           .reference = phases},
          {.name = "leaving",
           .kernel = "leaving",
           .launch = {.grid = {groups}, .group = {items}},
           .arguments = {zeros<int>(groups * items)},
           .reference = leaving},
          {.name = "counts",
           .kernel = "counts",
           .launch = {.group = {width}},
           .arguments = {counting<int>(width, 3, 2), zeros<int>(width), value(41), value(3)},
           .reference = counts},
          {.name = "parities",
           .kernel = "parities",
           .launch = {.grid = {groups}, .group = {items}},
           .arguments = {counting<int>(groups * roundCount, 9, 4), zeros<int>(groups * items), value(rounds)},
           .reference = parities},
          scoped("device_scope", "scopes<cuda::thread_scope_device>"),
          scoped("system_scope", "scopes<cuda::thread_scope_system>"),
          scoped("block_scope", "scopes<cuda::thread_scope_block>")};
}

}  // namespace lathe::conformance
