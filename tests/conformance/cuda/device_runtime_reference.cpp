// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of device_runtime.cu. Its kernel addTo is launched by others.
#include <cstring>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int items = 200, pitch = 24, rows = 5;
constexpr std::size_t slice = pitch * rows;

std::vector<char> bytes(std::uint64_t seed) {
  std::vector<char> out(3 * slice);
  const std::vector<int> words = scrambled<int>(out.size(), seed);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<char>(words[i]);
  return out;
}

void addTo(unsigned* data, int n, unsigned by) {
  for (int i = 0; i < n; ++i) data[i] = data[i] * 3 + by;
}

void inOrder(Arguments& a, const Environment&) {
  const auto* const in = a[0].as<unsigned>();
  auto* const out = a[1].as<unsigned>();
  std::memcpy(out, in, items * sizeof(int));
  addTo(out, items, 1);
  for (int i = 0; i < items / 4; ++i) out[items / 2 + i] = 0x5a5a5a5a;
  addTo(out, items, 2);
  std::memcpy(out + items, out + 1, (items - 1) * sizeof(int));
  std::memcpy(a[1].as<char>() + 5, a[0].as<char>() + 2, 6);
  *a[3].as<int>() = 0;
}

void slices(Arguments& a, const Environment&) {
  char* const to = a[0].as<char>();
  const char* const from = a[1].as<char>();
  for (int y = 0; y < rows - 1; ++y) std::memset(to + y * pitch + 3, 7, pitch / 2);
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < rows - 2; ++y)
      std::memset(to + static_cast<std::size_t>(z + 1) * slice + y * pitch, 9, pitch - 1);
  for (int y = 0; y < 2; ++y) std::memcpy(to + y * pitch + 1, from + y * pitch, pitch / 4);
  for (std::size_t z = 0; z < 2; ++z)
    for (int y = 0; y < 2; ++y)
      std::memcpy(to + z * slice + (y + 1) * pitch + 4, from + (z + 1) * slice + y * pitch + 2, 5);
  for (int i = 0; i < 4; ++i) a[4].as<int>()[i] = 0;
  a[4].as<int>()[4] = 1;
}

void heap(Arguments& a, const Environment&) {
  const auto* const in = a[0].as<unsigned>();
  for (unsigned i = 0; i < items; ++i) {
    unsigned sum = 0;
    for (unsigned k = 0; k <= i; ++k) sum += (in[i - k] + i - k) * (k + 1);
    a[1].as<unsigned>()[i] = sum;
  }
}

}  // namespace

std::vector<Case> cases_cuda_device_runtime() {
  const auto one = [](std::string name, const LaunchOptions& launch, Arguments arguments,
                      decltype(Case::reference) reference) {
    return Case{.name = name,
                .kernel = name,
                .launch = launch,
                .arguments = std::move(arguments),
                .reference = std::move(reference)};
  };
  std::vector<Case> out;
  out.push_back(one("inOrder", {.grid = {1}, .group = {32}},
                    {array(scrambled<int>(items, 1)), zeros<int>(2 * items), value(items), counting<int>(1, 1, 9)},
                    &inOrder));
  out.push_back(one("slices", {.grid = {1}, .group = {1}},
                    {array(bytes(2)), array(bytes(3)), value(pitch), value(rows), counting<int>(5, 1, 9)}, &slices));
  out.push_back(one("apart", {.grid = {1}, .group = {32}},
                    {array(scrambled<int>(64, 4)), value(64), counting<int>(1, 1, 9)},
                    [](Arguments& a, const Environment&) {
                      for (const unsigned by : {1U, 2U, 3U}) addTo(a[0].as<unsigned>(), 64, by);
                      *a[2].as<int>() = 0;
                    }));
  out.push_back(one("heap", {.grid = {4}, .group = {64}},
                    {array(scrambled<int>(items, 5)), zeros<int>(items), value(items)}, &heap));
  out.push_back(one("byHand", {.grid = {1}, .group = {32}},
                    {array(scrambled<int>(items + 1, 6)), value(items), value(5)},
                    [](Arguments& a, const Environment&) {
                      addTo(a[0].as<unsigned>(), items, 5);
                      a[0].as<int>()[items] = 0;
                    }));
  out.push_back(one("asks", {.grid = {1}, .group = {1}}, {zeros<int>(3)},
                    [](Arguments& a, const Environment&) { a[0].as<int>()[1] = a[0].as<int>()[2] = 1; }));
  return out;
}

}  // namespace lathe::conformance
