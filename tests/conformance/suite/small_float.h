// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point formats of 16 bits on the host, by IEEE 754's definitions: a number is taken apart into sign, whole
// steps and the size of a step, and put together again after rounding in one of four directions. Every number of them
// is a double.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace lathe::conformance {

enum class Rounding { nearest, zero, up, down };

/// `whole` steps and `rest` of one, in [0, 1): rounded to steps.
inline double roundedSteps(double whole, double rest, bool negative, Rounding mode) {
  if (rest == 0) return whole;
  switch (mode) {
    case Rounding::zero:
      return whole;
    case Rounding::up:
      return negative ? whole : whole + 1;
    case Rounding::down:
      return negative ? whole + 1 : whole;
    case Rounding::nearest:
      break;
  }
  const bool odd = std::fmod(whole, 2) != 0;
  return rest > 0.5 || (rest == 0.5 && odd) ? whole + 1 : whole;
}

struct SmallFloat {
  int fractionBits, bias;

  [[nodiscard]] unsigned infinity() const { return 0x7fffU >> fractionBits << fractionBits; }
  [[nodiscard]] double largest() const { return value(infinity() - 1); }

  [[nodiscard]] double value(unsigned bits) const {
    const unsigned magnitude = bits & 0x7fff, exponent = magnitude >> fractionBits;
    const unsigned fraction = magnitude & ((1U << fractionBits) - 1);
    double out;
    if (magnitude > infinity())
      out = std::numeric_limits<double>::quiet_NaN();
    else if (magnitude == infinity())
      out = std::numeric_limits<double>::infinity();
    else if (exponent == 0)
      out = std::ldexp(fraction, 1 - bias - fractionBits);
    else
      out = std::ldexp(fraction + (1U << fractionBits), static_cast<int>(exponent) - bias - fractionBits);
    return bits & 0x8000 ? -out : out;
  }

  /// The bits of `x`, rounded; of what is not a number, 0x7fff.
  [[nodiscard]] unsigned bits(double x, Rounding mode = Rounding::nearest) const {
    if (std::isnan(x)) return 0x7fff;
    const bool negative = std::signbit(x);
    const unsigned sign = negative ? 0x8000 : 0;
    const double magnitude = std::fabs(x);
    if (std::isinf(x)) return sign | infinity();
    int exponent = magnitude == 0 ? 1 - bias : std::ilogb(magnitude);
    if (exponent < 1 - bias) exponent = 1 - bias;
    const double steps = std::ldexp(magnitude, fractionBits - exponent), whole = std::floor(steps);
    const double rounded = std::ldexp(roundedSteps(whole, steps - whole, negative, mode), exponent - fractionBits);
    if (rounded > largest()) {
      const bool towardsZero = mode == Rounding::zero || mode == (negative ? Rounding::up : Rounding::down);
      return sign | (towardsZero ? infinity() - 1 : infinity());
    }
    if (rounded < std::ldexp(1, 1 - bias))
      return sign | static_cast<unsigned>(std::ldexp(rounded, bias - 1 + fractionBits));
    const int power = std::ilogb(rounded);
    const auto fraction = static_cast<unsigned>(std::ldexp(rounded, fractionBits - power)) - (1U << fractionBits);
    return sign | static_cast<unsigned>(power + bias) << fractionBits | fraction;
  }
};

inline constexpr SmallFloat half{10, 15}, bfloat{7, 127};

/// x + y as a double that rounds on to fewer digits as the sum itself would: its last digit is odd where something is
/// lost (Boldo and Melquiond, 2008).
inline double sumToOdd(double x, double y) {
  const double sum = x + y;
  if (!std::isfinite(sum)) return sum;
  const double part = sum - x, error = (x - (sum - part)) + (y - part);
  if (error == 0 || std::fmod(std::ldexp(std::fabs(sum), 52 - std::ilogb(sum)), 2) != 0) return sum;
  return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

/// Numbers at the format's edges: zeros, the least, the largest, ties, infinities, not a number.
inline std::vector<unsigned> corners(const SmallFloat& format) {
  const unsigned one = format.bits(1), least = 1U << format.fractionBits, top = format.infinity();
  std::vector<unsigned> out = {
      0, 1, least - 1, least, one, one + 1, one - 1, top - 1, format.bits(3), format.bits(0.5), top};
  for (std::size_t i = 0, n = out.size(); i < n; ++i) out.push_back(out[i] | 0x8000);
  out.push_back(0x7fff);
  return out;
}

/// Pairs in words: each corner with each other one in the lower half, other bits in the upper.
inline std::vector<std::uint32_t> cornerWords(const SmallFloat& format, std::size_t n, std::size_t period,
                                              const std::vector<std::uint32_t>& others) {
  const auto edge = corners(format);
  std::vector<std::uint32_t> out = others;
  for (std::size_t i = 0; i < n && i < edge.size() * edge.size(); ++i)
    out[i] = (out[i] & 0xffff0000U) | edge[i / period % edge.size()];
  return out;
}

}  // namespace lathe::conformance
