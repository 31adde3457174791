// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of atomic_scopes.cu.
#include <numeric>

#include "tests/conformance/suite/atomic_cases.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t items = 32, blocks = 5;

void counters(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < items; ++i) {
    const unsigned limit = a[0].as<unsigned>()[i];
    for (std::size_t k = 0; k < 4; ++k) {
      unsigned& cell = a[1].as<unsigned>()[4 * i + k];
      a[2].as<unsigned>()[4 * i + k] = cell;
      if (k % 2 == 0)
        cell = cell >= limit ? 0 : cell + 1;
      else
        cell = cell == 0 || cell > limit ? limit : cell - 1;
    }
  }
}

/// Sums of them fit.
std::vector<int> small(std::size_t count) {
  std::vector<int> out;
  for (const std::int16_t x : scrambled<std::int16_t>(count, 3)) out.push_back(x);
  return out;
}

Case fenced(const std::string& kernel, std::size_t count, LaunchOptions launch) {
  const std::size_t each = count / (launch.grid.x * launch.group.x);
  return {.name = kernel,
          .kernel = kernel,
          .launch = launch,
          .arguments = {array(small(count)), zeros<int>(count / each), zeros<int>(1)},
          .reference = [each](Arguments& a, const DeviceInfo&) {
            const int* const in = a[0].as<int>();
            for (std::size_t b = 0; b < a[1].count(); ++b)
              a[1].as<int>()[b] = std::accumulate(in + each * b, in + each * (b + 1), 0);
            *a[2].as<int>() = std::accumulate(a[1].as<int>(), a[1].as<int>() + a[1].count(), 0);
          }};
}

}  // namespace

std::vector<Case> cases_cuda_atomic_scopes() {
  std::vector<Case> out;
  for (const std::string kernel : {"block", "everywhere", "ordered", "unreturned"}) {
    out.push_back(aloneAtomicsCase<std::int32_t>("int", "int", kernel));
    out.push_back(aloneAtomicsCase<std::uint32_t>("unsigned", "unsigned", kernel));
    out.push_back(aloneAtomicsCase<std::uint64_t>("unsigned long long", "ulonglong", kernel));
  }
  auto cells = scrambled<unsigned>(4 * items, 994);
  for (std::size_t i = 0; i < cells.size(); i += 3) cells[i] = static_cast<unsigned>(i % 5);
  auto limits = scrambled<unsigned>(items, 995);
  for (std::size_t i = 0; i < items; i += 2) limits[i] = static_cast<unsigned>(i % 4);
  out.push_back({.name = "counters",
                 .kernel = "counters",
                 .launch = {.group = {items}},
                 .arguments = {array(limits), array(cells), zeros<unsigned>(4 * items)},
                 .reference = counters});
  out.push_back({.name = "signalled",
                 .kernel = "signalled",
                 .launch = {.group = {items}},
                 .arguments = {array(small(items)), zeros<int>(items), zeros<int>(items)},
                 .reference = [](Arguments& a, const DeviceInfo&) {
                   for (std::size_t i = 0; i < items; ++i) {
                     a[1].as<int>()[i] = a[0].as<int>()[i];
                     a[2].as<int>()[i] = a[0].as<int>()[i] + 1;
                   }
                 }});
  for (const std::string kernel : {"fencedBySystem", "fencedByStandard", "fencedByBuiltin"})
    out.push_back(fenced(kernel, 16 * blocks, {.grid = {blocks}, .group = {1}}));
  out.push_back(fenced("fencedByBlock", 64, {.group = {64}}));
  return out;
}

}  // namespace lathe::conformance
