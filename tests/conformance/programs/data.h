// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of the programs' cases: whole numbers, so that sums are exact in any order.
#pragma once

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

/// Whole numbers from -range / 2 up to it, without a pattern.
template <class T>
[[nodiscard]] std::vector<T> wholeNumbers(std::size_t n, std::uint64_t seed, int range) {
  std::vector<T> out;
  out.reserve(n);
  for (const std::uint64_t bits : scrambled<std::uint64_t>(n, seed))
    out.push_back(static_cast<T>(static_cast<int>(bits % static_cast<unsigned>(range)) - range / 2));
  return out;
}
template <class T>
[[nodiscard]] Argument wholes(std::size_t n, std::uint64_t seed, int range) {
  return array(wholeNumbers<T>(n, seed, range));
}
/// Numbers between 0 and 1, 24 bits each.
[[nodiscard]] inline std::vector<float> fractions(std::size_t n, std::uint64_t seed) {
  std::vector<float> out;
  out.reserve(n);
  for (const std::uint64_t bits : scrambled<std::uint64_t>(n, seed))
    out.push_back(static_cast<float>(bits >> 40) / 16777216.0f);
  return out;
}

}  // namespace lathe::conformance
