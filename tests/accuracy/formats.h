// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number formats that are measured, as data: their bits, and how far a number is from an exact one.
#pragma once

#include <cstdint>
#include <string_view>

#include <mpfr.h>

namespace lathe::accuracy {

struct Format {
  std::string_view type;  ///< in device code
  unsigned bytes;
  int digits;    ///< of the significand, the implied one included
  int exponent;  ///< of the largest number, which is below 2^exponent; the smallest normal one is 2^(3 - exponent - 1)

  [[nodiscard]] int leastExponent() const { return 2 - exponent; }
  /// Every number of any format is a double.
  [[nodiscard]] double decode(std::uint64_t bits) const;
  /// The nearest; the double itself for double.
  [[nodiscard]] std::uint64_t encode(double x) const;
};

inline constexpr Format float32{"float", 4, 24, 128}, float64{"double", 8, 53, 1024}, float16{"__half", 2, 11, 16},
    bfloat16{"__nv_bfloat16", 2, 8, 128};

/// |got - exact| in units of the last place that a number of exact's size has; 0 where that is out of the normal range.
[[nodiscard]] double placesBetween(const Format& format, double got, mpfr_ptr exact);
/// `exact` as a number of the format, rounded so.
[[nodiscard]] double rounded(const Format& format, mpfr_ptr exact, mpfr_rnd_t mode);

}  // namespace lathe::accuracy
