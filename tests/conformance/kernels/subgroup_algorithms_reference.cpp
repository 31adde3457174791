// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of subgroup_algorithms.cpp, from lists of the items that take part.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <vector>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr unsigned groups = 2, items = 128, n = groups * items;

struct Item {
  unsigned global, lane;
};
/// Calls visit(those of a subgroup that take part) for each subgroup of the launch.
template <class Visit>
void forEachSubgroup(const Environment& e, bool some, const Visit& visit) {
  const unsigned size = e.launch.group.x;
  for (unsigned group = 0; group < e.launch.grid.x; ++group) {
    for (unsigned first = 0; first < size; first += e.subgroupSize) {
      std::vector<Item> members;
      for (unsigned lane = 0; lane < e.subgroupSize && first + lane < size; ++lane)
        if (!some || lane % 3 != 0) members.push_back({group * size + first + lane, lane});
      visit(members);
    }
  }
}

template <unsigned Bytes>
using Block = std::array<unsigned char, Bytes>;

template <unsigned Bytes>
void shuffles(Arguments& a, const Environment& e) {
  const auto* const in = a[0].as<Block<Bytes>>();
  auto* const out = a[1].as<Block<Bytes>>();
  const unsigned width = std::min(e.subgroupSize, 16u);
  forEachSubgroup(e, false, [&](const std::vector<Item>& all) {
    const auto count = static_cast<unsigned>(all.size());
    for (const Item& item : all) {
      const auto at = [&](unsigned lane) { return in[all[lane < count ? lane : item.lane].global]; };
      out[4 * item.global] = at(item.lane / width * width + item.lane * 3 % width);
      out[4 * item.global + 1] = at(item.lane >= 2 ? item.lane - 2 : item.lane);
      out[4 * item.global + 2] = at(item.lane + 3);
      out[4 * item.global + 3] = at(item.lane ^ 5);
    }
  });
}

void rotations(Arguments& a, const Environment& e) {
  const auto* const in = a[0].as<unsigned>();
  auto* const out = a[1].as<std::uint64_t>();
  forEachSubgroup(e, false, [&](const std::vector<Item>& all) {
    const auto count = static_cast<unsigned>(all.size());
    for (const Item& item : all) {
      const auto at = [&](unsigned lane) { return in[all[lane].global]; };
      out[4 * item.global] = at((item.lane + 5) % count);
      out[4 * item.global + 1] = at(item.lane / 8 * 8 + (item.lane + 13) % 8);
      out[4 * item.global + 2] = at((item.lane + count - 1) % count) * 0x100000001UL;
      out[4 * item.global + 3] = in[item.global] & 0xff;
    }
  });
}

template <unsigned Bytes>
Case shufflesCase() {
  std::vector<Block<Bytes>> in(n);
  const auto bytes = scrambled<unsigned char>(n * Bytes, 70 + Bytes);
  std::memcpy(in.data(), bytes.data(), bytes.size());
  return {.name = "shuffles_" + std::to_string(Bytes),
          .kernel = "shuffles_of<" + std::to_string(Bytes) + ">",
          .launch = {.grid = {groups}, .group = {items}},
          .arguments = {array(in), zeros<Block<Bytes>>(4 * n)},
          .reference = shuffles<Bytes>};
}

/// The set of those for which `holds`.
template <class Holds>
std::uint64_t setOf(const std::vector<Item>& members, const Holds& holds) {
  std::uint64_t out = 0;
  for (const Item& item : members) out |= std::uint64_t{holds(item.global)} << item.lane;
  return out;
}

void find(Arguments& a, const Environment& e, bool some) {
  const unsigned* const in = a[0].as<unsigned>();
  forEachSubgroup(e, some, [&](const std::vector<Item>& members) {
    const auto same = [&](unsigned i, unsigned shift, unsigned bits) {
      return setOf(members, [&](unsigned k) { return (in[k] >> shift & bits) == (in[i] >> shift & bits); });
    };
    const std::uint64_t everybody = setOf(members, [](unsigned) { return true; });
    for (const Item& item : members) {
      const unsigned i = item.global;
      std::uint64_t* const row = a[1].as<std::uint64_t>() + 8 * i;
      row[0] = setOf(members, [&](unsigned k) { return (in[k] & 1) != 0; });
      row[1] = setOf(members, [&](unsigned k) { return (in[k] & 2) != 0; }) != 0;
      row[2] = setOf(members, [&](unsigned k) { return (in[k] & 4) == 0; }) == 0;
      row[3] = row[4] = same(i, 0, 3);
      row[5] = same(i, 4, 1);
      row[6] = row[3] == everybody ? everybody : 0;
      row[7] = same(i, 2, 1) == everybody ? everybody : 0;
    }
  });
}

/// What `join` makes of `first` and value(x) for the x of all members.
template <class T, class Value, class Join>
T folded(const unsigned* in, const std::vector<Item>& members, T first, const Value& value, const Join& join) {
  for (const Item& item : members) first = join(first, static_cast<T>(value(in[item.global])));
  return first;
}

void fold(Arguments& a, const Environment& e, bool some) {
  const unsigned* const in = a[0].as<unsigned>();
  const auto same = [](unsigned x) { return x; };
  const auto smaller = [](auto x, auto y) { return std::min(x, y); };
  const auto larger = [](auto x, auto y) { return std::max(x, y); };
  forEachSubgroup(e, some, [&](const std::vector<Item>& members) {
    using Limits = std::numeric_limits<int>;
    const std::array<unsigned, 8> row = {folded(in, members, 0U, same, std::plus<>()),
                                         static_cast<unsigned>(folded(in, members, Limits::max(), same, smaller)),
                                         static_cast<unsigned>(folded(in, members, Limits::min(), same, larger)),
                                         folded(in, members, ~0U, same, smaller),
                                         folded(in, members, 0U, same, larger),
                                         folded(
                                             in, members, ~0U, [](unsigned x) { return x | 0x55aa; }, std::bit_and<>()),
                                         folded(
                                             in, members, 0U, [](unsigned x) { return x & 0x1248; }, std::bit_or<>()),
                                         folded(in, members, 0U, same, std::bit_xor<>())};
    for (const Item& item : members) std::ranges::copy(row, a[1].as<unsigned>() + row.size() * item.global);
  });
}

void foldOthers(Arguments& a, const Environment& e, bool some) {
  const unsigned* const in = a[0].as<unsigned>();
  forEachSubgroup(e, some, [&](const std::vector<Item>& members) {
    const unsigned sum = folded(in, members, 0U, [](unsigned x) { return x & 1023; }, std::plus<>());
    const unsigned most = folded(in, members, 0U, std::identity(), [](auto x, auto y) { return std::max(x, y); });
    for (const Item& item : members) {
      a[1].as<unsigned>()[2 * item.global] = sum;
      a[1].as<unsigned>()[2 * item.global + 1] = most;
    }
  });
}

void scan(Arguments& a, const Environment& e, bool some) {
  forEachSubgroup(e, some, [&](const std::vector<Item>& members) {
    unsigned sum = 0, small = 0, factor = 1, offset = 0;
    int largest = std::numeric_limits<int>::min();
    for (const Item& item : members) {
      const unsigned x = a[0].as<unsigned>()[item.global];
      const unsigned before = sum, smallBefore = small;
      sum += x;
      small += x & 1023;
      largest = std::max(largest, static_cast<int>(x));
      offset = offset * (x | 1) + (x >> 7);
      factor *= x | 1;
      const std::array<unsigned, 6> row = {sum,   static_cast<unsigned>(largest), before + 7, smallBefore, factor,
                                           offset};
      std::ranges::copy(row, a[1].as<unsigned>() + row.size() * item.global);
    }
  });
}

/// Values that differ in few bits here, in many there, and subgroups that agree.
std::vector<unsigned> values() {
  std::vector<unsigned> out = scrambled<unsigned>(n, 61);
  for (unsigned i = 0; i < 64; ++i) out[64 + i] = 0x1236 | (i % 2) << 20;
  for (unsigned i = 0; i < 32; ++i) out[128 + i] = i == 4 ? 5 : 1;
  return out;
}

template <class Row>
Case make(const std::string& kernel, std::size_t columns, void (*reference)(Arguments&, const Environment&, bool),
          bool some) {
  return {.name = kernel,
          .kernel = kernel,
          .launch = {.grid = {groups}, .group = {items}},
          .otherLaunches = {{.grid = {groups}, .group = {40}}, {.grid = {1}, .group = {100}}},
          .arguments = {array(values()), zeros<Row>(columns * n)},
          .reference = [=](Arguments& a, const Environment& e) { reference(a, e, some); }};
}

}  // namespace

std::vector<Case> cases_kernels_subgroup_algorithms() {
  return {shufflesCase<1>(),
          shufflesCase<2>(),
          shufflesCase<8>(),
          shufflesCase<12>(),
          shufflesCase<16>(),
          shufflesCase<21>(),
          {.name = "rotations",
           .kernel = "rotations",
           .launch = {.grid = {groups}, .group = {items}},
           .arguments = {array(values()), zeros<std::uint64_t>(4 * n)},
           .reference = rotations},
          make<std::uint64_t>("find_all", 8, find, false),
          make<unsigned>("fold_all", 8, fold, false),
          make<unsigned>("fold_others_all", 2, foldOthers, false),
          make<unsigned>("scan_all", 6, scan, false),
          make<std::uint64_t>("find_some", 8, find, true),
          make<unsigned>("fold_some", 8, fold, true),
          make<unsigned>("fold_others_some", 2, foldOthers, true),
          make<unsigned>("scan_some", 6, scan, true),
          {.name = "active",
           .kernel = "active",
           .launch = {.grid = {groups}, .group = {items}},
           .arguments = {array(values()), zeros<unsigned>(n)},
           .reference = [](Arguments& a, const Environment&) {
             for (unsigned i = 0; i < n; ++i) a[1].as<unsigned>()[i] = a[0].as<unsigned>()[i] + 1;
           }}};
}

}  // namespace lathe::conformance
