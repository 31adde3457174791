// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of indexing.cpp. No two extents are equal, so that no two indices can be taken for each other.
#include <algorithm>
#include <string>
#include <utility>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr Extent3 grid = {3, 4, 2}, group = {7, 2, 5};

template <class Body>
void forEach(const Extent3& extent, const Body& body) {
  for (unsigned z = 0; z < extent.z; ++z)
    for (unsigned y = 0; y < extent.y; ++y)
      for (unsigned x = 0; x < extent.x; ++x) body(Extent3{x, y, z});
}

void indices(Arguments& a, const DeviceInfo&) {
  unsigned* row = a[0].as<unsigned>();
  forEach(grid, [&](const Extent3& g) {
    forEach(group, [&](const Extent3& i) {
      for (const Extent3& at : {i, g, group, grid}) {
        *row++ = at.x;
        *row++ = at.y;
        *row++ = at.z;
      }
    });
  });
}

void places(Arguments& a, const DeviceInfo&) {
  unsigned* out = a[0].as<unsigned>();
  forEach({grid.x * group.x, grid.y * group.y, grid.z * group.z}, [&](const Extent3& at) {
    const unsigned linear = ((at.z % group.z) * group.y + at.y % group.y) * group.x + at.x % group.x;
    *out++ = linear + 1000 * static_cast<unsigned>(group.count());
  });
}

constexpr unsigned first = 8;

template <class T>
void lowBits(Arguments& a, const DeviceInfo&) {
  for (unsigned i = 0; i < 70; ++i) a[1].as<T>()[first + i] = a[0].as<T>()[i & 3];
}

void noneAtAll(Arguments& a, const DeviceInfo&) {
  for (unsigned i = 0; i < 2 * 64; ++i) {
    const unsigned* const in = a[0].as<unsigned>() + i % 64;
    unsigned table[4] = {1, 2, 3, 4}, out = in[0];
    table[table[in[1] & 3] & 3] = 0;
    for (unsigned k = 0; k < *a[2].as<unsigned>(); ++k) out += table[out & 3];
    for (const unsigned word : table) out = out * 31 + word;
    a[1].as<unsigned>()[i] = out;
  }
}

void wordsInOrder(Arguments& a, const DeviceInfo&) {
  for (unsigned i = 0; i < 64; ++i) {
    unsigned* const row = a[0].as<unsigned>() + 4 * i;
    const unsigned before = row[0] + row[1];
    row[a[1].as<unsigned>()[i] & 3] = 100;
    a[2].as<unsigned>()[i] = before + row[3];
  }
}

void largestFirst(Arguments& a, const DeviceInfo&) {
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned in = a[0].as<unsigned>()[i];
    unsigned* const row = a[1].as<unsigned>() + 3 * i;
    row[0] = in * 7 % 5;
    row[1] = in * 3 % 5;
    row[2] = in % 5;
    std::swap(row[0], *std::max_element(row, row + 3));
  }
}

Case iterations(unsigned count) {
  return {.name = "iterations_" + std::to_string(count),
          .kernel = "counted_alike",
          .launch = {.grid = {2}, .group = {64}},
          .arguments = {array(scrambled<unsigned>(65, 3)), zeros<unsigned>(128), value(count)},
          .reference = noneAtAll};
}

}  // namespace

std::vector<Case> cases_kernels_indexing() {
  const std::size_t items = grid.count() * group.count();
  return {{.name = "indices",
           .kernel = "indices",
           .launch = {.grid = grid, .group = group},
           .arguments = {zeros<unsigned>(12 * items)},
           .reference = indices},
          {.name = "places",
           .kernel = "places",
           .launch = {.grid = grid, .group = group},
           .arguments = {zeros<unsigned>(items)},
           .reference = places},
          iterations(0),
          iterations(5),
          {.name = "low_bits",
           .kernel = "low_bits",
           .launch = {.grid = {1}, .group = {70}},
           .arguments = {counting<int>(70, 3, 7), zeros<int>(first + 70), value(first)},
           .reference = lowBits<int>},
          {.name = "low_bits_of_bytes",
           .kernel = "low_bits_of_bytes",
           .launch = {.grid = {1}, .group = {1}},
           .arguments = {counting<signed char>(70, 1, 9), zeros<signed char>(first + 70), value(first), value(70U)},
           .reference = lowBits<signed char>},
          {.name = "words_in_order",
           .kernel = "words_in_order",
           .launch = {.grid = {1}, .group = {64}},
           .arguments = {counting<unsigned>(256, 3), counting<unsigned>(64), zeros<unsigned>(64)},
           .reference = wordsInOrder},
          {.name = "aligned_rows",
           .kernel = "aligned_rows",
           .launch = {.grid = {1}, .group = {48}},
           .arguments = {counting<unsigned>(48, 5), zeros<unsigned>(192)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 const unsigned* const in = a[0].as<unsigned>();
                 for (unsigned i = 0; i < 48; ++i) {
                   const unsigned at = in[i] % 40;
                   std::fill_n(a[1].as<unsigned>() + 4 * i, 4, in[at] + i + (at == i % 40 ? 1000 : 0));
                 }
               }},
          {.name = "largest_first",
           .kernel = "largest_first",
           .launch = {.grid = {1}, .group = {64}},
           .arguments = {counting<unsigned>(64), zeros<unsigned>(192)},
           .reference = largestFirst},
          {.name = "launch_sized_memory",
           .kernel = "launch_sized",
           .launch = {.grid = {3}, .group = {32}, .dynamicSharedBytes = 4 * 50},
           .arguments = {zeros<unsigned>(150)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             for (unsigned g = 0; g < 3; ++g)
               for (unsigned k = 0; k < 50; ++k) a[0].as<unsigned>()[50 * g + k] = 49 - k + g;
           }}};
}

}  // namespace lathe::conformance
