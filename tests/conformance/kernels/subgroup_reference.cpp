// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of subgroup.cpp. Shuffles follow `shfl.sync` of the PTX ISA: where there is no such item, the own value.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr unsigned items = 128, groups = 2, n = items * groups;

void shuffles(Arguments& a, const DeviceInfo& device) {
  const unsigned size = device.subgroupSize;
  const unsigned* const in = a[0].as<unsigned>();
  unsigned* row = a[1].as<unsigned>();
  for (unsigned i = 0; i < n; ++i) {
    const unsigned lane = i % size;
    const unsigned* const subgroup = in + (i - lane);
    for (const unsigned width : {8u, std::min(16u, size), size}) {
      const unsigned first = lane / width * width, end = first + width;
      *row++ = subgroup[first + (in[i] >> 3) % width];
      *row++ = lane >= first + 3 ? subgroup[lane - 3] : in[i];
      *row++ = lane + 5 < end ? subgroup[lane + 5] : in[i];
      *row++ = (lane ^ 6) < end ? subgroup[lane ^ 6] : in[i];
    }
  }
}

void shufflesByData(Arguments& a, const DeviceInfo& device) {
  const unsigned* const in = a[0].as<unsigned>();
  const unsigned distance = in[0] % 7 + 1;
  for (unsigned i = 0; i < n; ++i) {
    unsigned* const row = a[1].as<unsigned>() + 8 * i;
    for (unsigned k = 0; k < 2; ++k) {
      const unsigned width = k == 0 ? 8 : device.subgroupSize;
      const unsigned lane = i % width;
      const unsigned* const window = in + (i - lane);
      row[k] = window[distance % width];
      row[2 + k] = lane >= distance ? window[lane - distance] : in[i];
      row[4 + k] = lane + distance < width ? window[lane + distance] : in[i];
      row[6 + k] = (lane ^ distance) < width ? window[lane ^ distance] : in[i];
    }
  }
}

struct Votes {
  std::uint64_t ballot = 0;
  unsigned any = 0, all = 1;
};
Votes votesOf(const unsigned* in, unsigned count) {
  Votes out;
  for (unsigned k = 0; k < count; ++k) {
    out.ballot |= std::uint64_t{in[k] & 1} << k;
    out.any |= (in[k] & 2) != 0;
    out.all &= (in[k] & 4) != 0;
  }
  return out;
}

void votes(Arguments& a, const DeviceInfo& device) {
  for (unsigned i = 0; i < n; ++i) {
    const unsigned window = device.subgroupSize;
    const Votes v = votesOf(a[0].as<unsigned>() + i / window * window, window);
    const std::uint64_t active = ~std::uint64_t{0} >> (64 - window);
    unsigned* const row = a[1].as<unsigned>() + 8 * i;
    row[0] = static_cast<unsigned>(v.ballot);
    row[1] = static_cast<unsigned>(v.ballot >> 32);
    row[2] = v.any;
    row[3] = v.all;
    row[4] = static_cast<unsigned>(active);
    row[5] = static_cast<unsigned>(active >> 32);
    row[6] = i % items % device.subgroupSize;
    row[7] = device.subgroupSize;
  }
}

void half(Arguments& a, const DeviceInfo& device) {
  const unsigned window = std::min(device.subgroupSize, 16u);
  for (unsigned i = 0; i < n; ++i) {
    if (i % 32 >= 16) continue;
    const unsigned* const in = a[0].as<unsigned>() + i / window * window;
    const Votes v = votesOf(in, window);
    unsigned* const row = a[1].as<unsigned>() + 4 * i;
    row[0] = static_cast<unsigned>(v.ballot);
    row[1] = v.any;
    row[2] = v.all;
    row[3] = in[(i + 1) % window];
  }
}

void exchange(Arguments& a, const DeviceInfo&) {
  const std::vector<int> before(a[0].as<int>(), a[0].as<int>() + n);
  for (unsigned i = 0; i < n; ++i) a[0].as<int>()[i] = before[i ^ 3] + 1;
}

void rows(Arguments& a, const DeviceInfo& device) {
  const unsigned width = std::min(device.subgroupSize, 32u);
  std::vector<unsigned> mixed(n), last(n);
  for (unsigned i = 0; i < n; ++i) {
    const unsigned* const in = a[0].as<unsigned>() + i / width * width;
    unsigned* const row = a[1].as<unsigned>() + 4 * i;
    unsigned sum = 0, place = in[i % width];
    for (unsigned k = 0; k < 20; ++k) {
      const unsigned other = i ^ k % width;
      mixed[i] = mixed[i] * 5 + in[other % width] + k * (other % items);
    }
    for (unsigned k = 0; k < width; ++k) sum += in[k];
    for (unsigned turn = 0; turn < 5; ++turn) place = in[place % width];
    row[0] = mixed[i];
    row[1] = sum;
    row[2] = place;
    last[i] = sum + in[(i ^ 3) % width];
  }
  for (unsigned i = 0; i < n; ++i) a[1].as<unsigned>()[4 * i + 3] = last[i ^ 3 ^ 4] + mixed[i ^ 3 ^ 4];
}

/// Votes that differ from one 32 items to the next: mixed, one for, one against, all, none.
std::vector<unsigned> ballots() {
  std::vector<unsigned> out = scrambled<unsigned>(n, 51);
  for (unsigned k = 0; k < 32; ++k) {
    out[32 + k] = out[32 + k] << 3 | (k == 9 ? 6 : 0);
    out[64 + k] = out[64 + k] << 3 | (k == 30 ? 0 : 7);
    out[96 + k] |= 7;
    out[128 + k] &= ~7u;
  }
  return out;
}

Case make(const std::string& kernel, std::size_t columns,
          std::function<void(Arguments&, const DeviceInfo&)> reference) {
  return {.name = kernel,
          .kernel = kernel,
          .launch = {.grid = {groups}, .group = {items}},
          .arguments = {array(ballots()), zeros<unsigned>(columns * n)},
          .reference = std::move(reference)};
}

}  // namespace

std::vector<Case> cases_kernels_subgroup() {
  return {make("shuffles", 12, shuffles),
          make("shuffles_by_data", 8, shufflesByData),
          make("votes", 8, votes),
          make("half", 4, half),
          make("rows", 4, rows),
          {.name = "exchange",
           .kernel = "exchange",
           .launch = {.grid = {groups}, .group = {items}},
           .arguments = {counting<int>(n, 3)},
           .reference = exchange}};
}

}  // namespace lathe::conformance
