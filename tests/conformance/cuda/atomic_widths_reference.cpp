// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of atomic_widths.cu.
#include <initializer_list>

#include "tests/conformance/suite/atomic_cases.h"

namespace lathe::conformance {
namespace {

/// Adds `value` to `count` floats at `cell`, whose old values go to `old`.
void addTo(float* cell, float* old, std::initializer_list<float> value) {
  for (const float x : value) {
    *old++ = *cell;
    *cell++ += x;
  }
}

void vectorsOfFloats(Arguments& a, const DeviceInfo&) {
  float* const pairs = a[0].as<float>();
  float* const fours = a[1].as<float>();
  float unused[4];
  for (std::size_t i = 0; i < atomicItems; ++i) {
    const auto x = static_cast<float>(i);
    addTo(pairs, unused, {x, 1});
    addTo(fours, unused, {x, 1, -x, 2});
    addTo(pairs + 2 * (1 + i), a[2].as<float>() + 2 * i, {x, 3});
    addTo(fours + 4 * (1 + i), a[3].as<float>() + 4 * i, {1, x, 2, -x});
  }
}

}  // namespace

std::vector<Case> cases_cuda_atomic_widths() {
  std::vector<Case> out;
  for (const std::string kernel : {"alone", "alone_shared"}) {
    out.push_back(aloneAtomicsCase<int>("int", "int", kernel));
    out.push_back(aloneAtomicsCase<unsigned>("unsigned", "unsigned", kernel));
    out.push_back(aloneAtomicsCase<long long>("long long", "longlong", kernel));
    out.push_back(aloneAtomicsCase<unsigned long long>("unsigned long long", "ulonglong", kernel));
  }
  // Sums of small whole numbers, the same in any order.
  out.push_back(
      {.name = "vectors",
       .kernel = "vectors",
       .launch = {.grid = {2}, .group = {32}},
       .arguments = {counting<float>(2 * (1 + atomicItems), 1, 1), counting<float>(4 * (1 + atomicItems), 2, 1),
                     zeros<float>(2 * atomicItems), zeros<float>(4 * atomicItems)},
       .reference = vectorsOfFloats});
  return out;
}

}  // namespace lathe::conformance
