// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of library.cpp, by the host's library.
#include <algorithm>
#include <functional>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int items = 16;

struct Keyed {
  std::int32_t key;
  float value;
};

/// Keys are all different: their order says everything.
std::vector<Keyed> keyedValues(std::size_t n) {
  std::vector<Keyed> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back({static_cast<std::int32_t>(i * 7919 % 10007), static_cast<float>(i) / 2});
  return out;
}

Case sortedCase(int length) {
  const auto n = static_cast<std::size_t>(items * length);
  std::vector<float> numbers;
  for (const std::int16_t x : scrambled<std::int16_t>(n, 51)) numbers.push_back(static_cast<float>(x % 50) / 4);
  return {.name = "sorted_" + std::to_string(length),
          .kernel = "sorted",
          .launch = {.grid = {2}, .group = {items / 2}},
          .arguments = {array(numbers), array(keyedValues(n)), array(scrambled<std::int32_t>(n, 52)), value(length)},
          .reference = [=](Arguments& a, const DeviceInfo&) {
            for (int i = 0; i < items; ++i) {
              const int count = length - 7 * i;
              float* const numbers = a[0].as<float>() + i * length;
              std::sort(numbers, numbers + count);
              Keyed* const keyed = a[1].as<Keyed>() + i * length;
              std::sort(keyed, keyed + count, [](const Keyed& x, const Keyed& y) { return y.key < x.key; });
              std::int32_t* const ranged = a[2].as<std::int32_t>() + i * length;
              std::sort(ranged, ranged + count, std::greater<>());
              std::sort(ranged, ranged + 5);
            }
          }};
}

}  // namespace

std::vector<Case> cases_kernels_library() {
  return {sortedCase(110), sortedCase(300)};
}

}  // namespace lathe::conformance
