// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of rocprim_warps.hip, by the subgroup that the device has.
#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/conformance/hip/affine.h"
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int threads = 64, items = 4, count = threads * items;

void exchanges(Arguments& a, const DeviceInfo&) {
  int* const out = a[1].as<int>();
  for (int first = 0; first < count; first += 64) {
    const int* const in = a[0].as<int>() + first;
    for (int i = 0; i < 64; ++i) {
      const int striped = i % items * 16 + i / items;
      out[first + i] = out[3 * count + first + i] = in[striped];
      out[count + first + striped] = out[4 * count + first + striped] = in[i];
      // Item i's place, and where the lane of that place keeps it.
      const int rank = i * 5 % 64;
      out[2 * count + first + rank % 16 * items + rank / 16] = in[i];
      out[5 * count + first + i] = in[i / 16 * 16 + i % 4 * 4 + i % 16 / 4];
    }
  }
}

/// `place` are the places of a lane's items in the warp's.
template <class Place>
void moved(Arguments& a, Place place) {
  for (int thread = 0; thread < threads; ++thread) {
    const int warp = thread / 32, valid = 61 + warp;
    for (int i = 0; i < items; ++i) {
      const int at = place(thread % 32, i), x = a[0].as<int>()[warp * 128 + at];
      a[1].as<int>()[warp * 128 + at] = 2 * x + i;
      a[2].as<int>()[warp * 128 + at] = at < valid ? x : -9;
      if (at < 50) a[3].as<int>()[warp * 128 + at] = x + 1;
    }
  }
}

/// Places of the items in the order that `below` gives in each of their warps, of which the first `n` take part.
template <class Below, class Valid>
std::vector<std::uint16_t> order(const std::vector<int>& in, int width, Below below, Valid valid) {
  std::vector<std::uint16_t> places(in.size());
  std::iota(places.begin(), places.end(), static_cast<std::uint16_t>(0));
  for (int first = 0; first < static_cast<int>(in.size()); first += width)
    std::stable_sort(places.begin() + first, places.begin() + first + valid(first / width),
                     [&](std::size_t x, std::size_t y) { return below(in[x], in[y]); });
  return places;
}

void sorts(Arguments& a, const DeviceInfo& device) {
  const std::vector<int> in(a[0].as<int>(), a[0].as<int>() + count), singles(in.begin(), in.begin() + threads);
  std::vector<int> seven, nine;
  for (const int x : in) seven.push_back(x % 7), nine.push_back(x % 9);
  const std::less<int> up;
  const std::greater<int> down;
  const auto all = [](int) { return 64; };
  const auto store = [&](int to, int row, const std::vector<int>& keys, const std::vector<std::uint16_t>& places) {
    for (std::size_t i = 0; i < count; ++i) {
      a[static_cast<std::size_t>(to)].as<int>()[row * count + static_cast<int>(i)] = keys[places[i]];
      a[static_cast<std::size_t>(to) + 1].as<std::uint16_t>()[row * count + static_cast<int>(i)] = places[i];
    }
  };
  store(1, 0, in, order(in, 64, up, all));
  store(1, 1, in, order(in, 64, down, all));
  store(1, 2, seven, order(seven, 64, up, all));
  for (int i = 0; i < count; ++i) a[2].as<std::uint16_t>()[2 * count + i] = static_cast<std::uint16_t>(i);
  store(4, 0, nine, order(nine, 64, up, all));
  store(4, 1, nine, order(nine, 64, down, all));
  store(4, 2, nine, order(nine, 64, up, [](int warp) { return 39 + warp; }));
  const auto places = order(singles, 16, up, [](int) { return 16; });
  const int wave = static_cast<int>(device.subgroupSize);
  const auto whole = order(singles, wave, down, [&](int) { return wave; });
  for (std::size_t i = 0; i < threads; ++i) {
    a[3].as<int>()[i] = singles[places[i]];
    a[3].as<int>()[threads + i] = places[i];
    a[3].as<int>()[2 * threads + i] = singles[whole[i]];
  }
}

Affine product(const std::vector<Affine>& in, int first, int last, Affine result = {}) {
  for (int i = first; i < last; ++i) result = result * in[static_cast<std::size_t>(i)];
  return result;
}

void reduces(Arguments& a, const DeviceInfo& device) {
  std::vector<Affine> in(threads);
  std::memcpy(in.data(), a[0].bytes.data(), a[0].bytes.size());
  const unsigned char* const flags = a[1].as<unsigned char>();
  for (int i = 0; i < threads; ++i) {
    const int first = i / 16 * 16, last = first + 16;
    put(a[2], 2 * threads + i, product(in, first, last));
    put(a[2], 3 * threads + i, product(in, first, first + 9));
    if (i == first) {
      put(a[2], i, product(in, first, last));
      put(a[2], threads + i, product(in, first, first + 3 * (i / 16) + 2));
    }
    int head = i + 1, tail = i;
    while (head < last && !flags[head]) ++head;
    while (tail + 1 < last && !flags[tail]) ++tail;
    if (i == first || flags[i]) put(a[2], 4 * threads + i, product(in, i, head));
    if (i == first || flags[i - 1]) put(a[2], 5 * threads + i, product(in, i, tail + 1));
  }
  const int wave = static_cast<int>(device.subgroupSize);
  for (int first = 0; first < threads; first += wave) {
    std::uint32_t sum = 0;
    for (int i = first; i < first + wave; ++i) sum += in[static_cast<std::size_t>(i)].b & 255;
    put(a[2], 6 * threads + first, {sum, 1});
  }
}

void scans(Arguments& a, const DeviceInfo&) {
  std::vector<Affine> in(threads);
  std::memcpy(in.data(), a[0].bytes.data(), a[0].bytes.size());
  const Affine initial = {3, 7};
  for (int i = 0; i < threads; ++i) {
    const int first = i / 32 * 32;
    const Affine with = product(in, first, i + 1), behind = product(in, first, i + 1, initial);
    const Affine before = product(in, first, i, initial), between = i > first ? product(in, first, i) : initial;
    const Affine sum = product(in, first, first + 32), none = {0, 0};
    const Affine rows[] = {with,    with,    behind, behind, before, before,
                           between, between, with,   before, with,   in[static_cast<std::size_t>(first + 5 + i / 32)]};
    // What the kernel has for the sum, which not every call gives.
    const Affine sums[] = {none, sum, sum, sum, sum, sum, sum, sum, sum, none, sum, before};
    for (int row = 0; row < 12; ++row) {
      put(a[1], row * threads + i, rows[row]);
      put(a[2], row * threads + i, sums[row]);
    }
  }
}

}  // namespace

std::vector<Case> cases_hip_rocprim_warps() {
  const LaunchOptions launch{.grid = {1}, .group = {threads}};
  // Different numbers: an odd factor permutes those below a power of two.
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back((i * 167 + 41) % count * 37 + 5);
  std::vector<unsigned char> flags;
  for (const std::uint32_t x : scrambled<std::uint32_t>(threads, 5)) flags.push_back(x % 4 == 0);
  const std::vector<std::uint32_t> maps = scrambled<std::uint32_t>(2 * threads, 3);
  const Argument out = zeros<int>(count);
  const auto blocked = [](int lane, int i) { return lane * items + i; };
  const auto striped = [](int lane, int i) { return lane + i * 32; };
  return {{.name = "exchanges",
           .kernel = "exchanges",
           .launch = launch,
           .arguments = {array(numbers), zeros<int>(6 * count)},
           .reference = exchanges},
          {.name = "direct",
           .kernel = "direct",
           .launch = launch,
           .arguments = {array(numbers), out, out, out},
           .reference = [=](Arguments& a, const DeviceInfo&) { moved(a, blocked); }},
          {.name = "striped",
           .kernel = "striped",
           .launch = launch,
           .arguments = {array(numbers), out, out, out},
           .reference = [=](Arguments& a, const DeviceInfo&) { moved(a, striped); }},
          {.name = "transposed",
           .kernel = "transposed",
           .launch = launch,
           .arguments = {array(numbers), out, out, out},
           .reference = [=](Arguments& a, const DeviceInfo&) { moved(a, blocked); }},
          {.name = "sorts",
           .kernel = "sorts",
           .launch = launch,
           .arguments = {array(numbers), zeros<int>(3 * count), zeros<std::uint16_t>(3 * count),
                         zeros<int>(3 * threads), zeros<int>(3 * count), zeros<std::uint16_t>(3 * count)},
           .reference = sorts},
          {.name = "reduces",
           .kernel = "reduces",
           .launch = launch,
           .arguments = {array(maps), array(flags), zeros<std::uint32_t>(7 * 2 * threads)},
           .reference = reduces},
          {.name = "scans",
           .kernel = "scans",
           .launch = launch,
           .arguments = {array(maps), zeros<std::uint32_t>(12 * 2 * threads), zeros<std::uint32_t>(12 * 2 * threads)},
           .reference = scans}};
}

}  // namespace lathe::conformance
