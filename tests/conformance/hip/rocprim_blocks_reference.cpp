// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of rocprim_blocks.hip.
#include <algorithm>

#include "tests/conformance/hip/affine.h"
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

void scans(Arguments& a, const DeviceInfo&) {
  constexpr int threads = 80, items = 3, all = threads * items;
  std::vector<Affine> in(all);
  std::memcpy(in.data(), a[0].bytes.data(), a[0].bytes.size());
  const Affine first = {3, 7};
  Affine sum, behind = first;
  for (int i = 0; i < all; ++i) {
    put(a[1], all + i, behind);
    put(a[1], 3 * all + i, behind);
    sum = sum * in[static_cast<std::size_t>(i)];
    behind = behind * in[static_cast<std::size_t>(i)];
    put(a[1], i, sum);
    put(a[1], 2 * all + i, behind);
  }
  Affine singles, before = first, valid;
  for (int i = 0; i < threads; ++i) {
    put(a[1], 4 * all + i, before);
    before = before * in[static_cast<std::size_t>(items * i + 1)];
    singles = singles * in[static_cast<std::size_t>(items * i + 1)];
    if (i < 33) valid = valid * in[static_cast<std::size_t>(items * i + 2)];
  }
  const Affine row[] = {sum, behind, singles, sum, valid, in[0]};
  for (int i = 0; i < 6; ++i) put(a[2], i, row[i]);
}

constexpr int threads = 48, items = 3, count = threads * items;

void differences(Arguments& a, const DeviceInfo&) {
  const int* const in = a[0].as<int>();
  int* const out = a[1].as<int>();
  for (int i = 0; i < count; ++i) {
    const int left = i > 0 ? 3 * in[i] - in[i - 1] : in[i], right = i + 1 < count ? 3 * in[i] - in[i + 1] : in[i];
    const int withLeft = i > 0 ? left : 3 * in[i] - 1000, withRight = i + 1 < count ? right : 3 * in[i] - 1000;
    const int rows[] = {left,  withLeft,  i < 100 ? left : in[i],     i < 100 ? withLeft : in[i],
                        right, withRight, i + 1 < 100 ? right : in[i]};
    for (int row = 0; row < 7; ++row) out[row * count + i] = rows[row];
  }
}

void flags(Arguments& a, const DeviceInfo&) {
  const int* const in = a[0].as<int>();
  for (int i = 0; i < count; ++i) {
    const bool first = i == 0, last = i + 1 == count;
    const auto head = [&](int before, bool placed) {
      return (first ? before : in[i - 1]) != in[i] || (placed && i % 7 == 0);
    };
    const auto tail = [&](int behind, bool placed) {
      return (last ? behind : in[i + 1]) != in[i] || (placed && (i + 1) % 7 == 0);
    };
    const bool heads[] = {first || head(0, false), head(in[0], true), first || head(0, false),
                          first || head(0, true),  head(6, true),     head(in[0], false)};
    const bool tails[] = {last || tail(0, false), tail(5, true),         last || tail(0, false),
                          tail(5, true),          last || tail(0, true), tail(in[count - 1], false)};
    for (int row = 0; row < 6; ++row) {
      a[1].as<unsigned char>()[row * count + i] = heads[row];
      a[2].as<unsigned char>()[row * count + i] = tails[row];
    }
  }
}

void histograms(Arguments& a, const DeviceInfo&) {
  const unsigned char* const in = a[0].as<unsigned char>();
  std::fill_n(a[1].as<std::uint32_t>(), 13, 0u);
  std::fill_n(a[2].as<std::uint16_t>(), 13, static_cast<std::uint16_t>(0));
  std::fill_n(a[3].as<float>(), 13, 0.0f);
  for (int i = 0; i < count; ++i) {
    ++a[1].as<std::uint32_t>()[in[i]];
    ++a[2].as<std::uint16_t>()[in[i]];
    a[3].as<float>()[in[i]] += 1;
    a[3].as<float>()[in[i] / 2] += 1;
  }
}

void runs(Arguments& a, const DeviceInfo&) {
  std::uint32_t place = 0;
  for (int run = 0; run < 64; ++run) {
    for (std::uint32_t i = 0; i < a[1].as<std::uint32_t>()[run]; ++i, ++place) {
      const std::uint16_t value = a[0].as<std::uint16_t>()[run];
      a[2].as<std::uint16_t>()[place] = value;
      a[3].as<std::uint32_t>()[place] = i;
      if (place >= 17 && place < 17 + 160) a[4].as<std::uint16_t>()[place - 17] = value;
    }
  }
  *a[5].as<std::uint32_t>() = place;
}

}  // namespace

std::vector<Case> cases_hip_rocprim_blocks() {
  const LaunchOptions launch{.grid = {1}, .group = {threads}};
  std::vector<std::uint32_t> maps = scrambled<std::uint32_t>(2 * 80 * 3, 3);
  std::vector<int> numbers, steps;
  std::vector<unsigned char> bins;
  for (const std::uint32_t x : scrambled<std::uint32_t>(count, 8)) {
    numbers.push_back(static_cast<int>(x % 2000) - 1000);
    bins.push_back(static_cast<unsigned char>(x % 169 % 13));
    steps.push_back((steps.empty() ? 4 : steps.back()) + static_cast<int>(x >> 16) % 3 / 2);
  }
  std::vector<std::uint32_t> lengths;
  for (const std::uint32_t x : scrambled<std::uint32_t>(64, 9)) lengths.push_back(x % 5 < 2 ? 0 : x % 17);
  std::uint32_t total = 0;
  for (const std::uint32_t length : lengths) total += length;
  return {{.name = "scans",
           .kernel = "scans",
           .launch = {.grid = {1}, .group = {4, 5, 4}},
           .arguments = {array(maps), zeros<std::uint32_t>(2 * (4 * 240 + 80)), zeros<std::uint32_t>(12)},
           .reference = scans},
          {.name = "differences",
           .kernel = "differences",
           .launch = launch,
           .arguments = {array(numbers), zeros<int>(7 * count)},
           .reference = differences},
          {.name = "flags",
           .kernel = "flags",
           .launch = launch,
           .arguments = {array(steps), zeros<unsigned char>(6 * count), zeros<unsigned char>(6 * count)},
           .reference = flags},
          {.name = "histograms",
           .kernel = "histograms",
           .launch = launch,
           .arguments = {array(bins), counting<std::uint32_t>(13), zeros<std::uint16_t>(13), counting<float>(13)},
           .reference = histograms},
          {.name = "runs",
           .kernel = "runs",
           .launch = {.grid = {1}, .group = {32}},
           .arguments = {array(scrambled<std::uint16_t>(64, 2)), array(lengths), zeros<std::uint16_t>(total),
                         zeros<std::uint32_t>(total), zeros<std::uint16_t>(160), zeros<std::uint32_t>(1)},
           .reference = runs}};
}

}  // namespace lathe::conformance
