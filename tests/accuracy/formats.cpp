// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/accuracy/formats.h"

#include <cmath>
#include <limits>

#include "tests/accuracy/references.h"

namespace lathe::accuracy {

double Format::decode(std::uint64_t bits) const {
  const int fractionBits = digits - 1, exponentBits = static_cast<int>(bytes) * 8 - digits;
  const auto fraction = bits & ((std::uint64_t{1} << fractionBits) - 1);
  const int biased = static_cast<int>(bits >> fractionBits & ((std::uint64_t{1} << exponentBits) - 1));
  const bool negative = (bits >> (bytes * 8 - 1) & 1) != 0;
  double size = 0;
  if (biased == (1 << exponentBits) - 1)
    size = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (biased == 0)
    size = std::ldexp(static_cast<double>(fraction), leastExponent() - fractionBits);
  else
    size = std::ldexp(static_cast<double>(fraction | std::uint64_t{1} << fractionBits),
                      biased - 1 + leastExponent() - fractionBits);
  return negative ? -size : size;
}

std::uint64_t Format::encode(double x) const {
  Number exact(x);
  const double near = std::isfinite(x) ? rounded(*this, exact, MPFR_RNDN) : x;
  const int fractionBits = digits - 1, exponentBits = static_cast<int>(bytes) * 8 - digits;
  const std::uint64_t sign = static_cast<std::uint64_t>(std::signbit(x)) << (bytes * 8 - 1);
  const std::uint64_t infinity = ((std::uint64_t{1} << exponentBits) - 1) << fractionBits;
  if (std::isnan(near)) return sign | infinity | std::uint64_t{1} << (fractionBits - 1);
  if (std::isinf(near)) return sign | infinity;
  int power = 0;
  const double half = std::frexp(std::fabs(near), &power);  // 1/2 to 1
  if (near == 0) return sign;
  if (power - 1 < leastExponent())
    return sign | static_cast<std::uint64_t>(std::ldexp(half, power - leastExponent() + fractionBits));
  const auto fraction = static_cast<std::uint64_t>(std::ldexp(half, digits)) & ((std::uint64_t{1} << fractionBits) - 1);
  return sign | static_cast<std::uint64_t>(power - leastExponent()) << fractionBits | fraction;
}

double rounded(const Format& format, mpfr_ptr exact, mpfr_rnd_t mode) {
  if (!mpfr_regular_p(exact)) return mpfr_get_d(exact, MPFR_RNDN);
  const long place = std::max<long>(mpfr_get_exp(exact) - format.digits, format.leastExponent() - format.digits + 1);
  Number scaled;
  mpfr_set_prec(scaled, mpfr_get_prec(exact));
  mpfr_mul_2si(scaled, exact, -place, MPFR_RNDN);
  mpfr_rint(scaled, scaled, mode);
  mpfr_mul_2si(scaled, scaled, place, MPFR_RNDN);
  if (!mpfr_regular_p(static_cast<mpfr_ptr>(scaled)) || mpfr_get_exp(scaled) <= format.exponent)
    return mpfr_get_d(scaled, MPFR_RNDN);
  const bool positive = mpfr_sgn(exact) > 0;
  const bool stays = mode == MPFR_RNDZ || mode == (positive ? MPFR_RNDD : MPFR_RNDU);
  const double largest = std::ldexp(1 - std::ldexp(1, -format.digits), format.exponent);
  return (positive ? 1 : -1) * (stays ? largest : std::numeric_limits<double>::infinity());
}

double placesBetween(const Format& format, double got, mpfr_ptr exact) {
  if (mpfr_nan_p(exact)) return std::isnan(got) ? 0 : std::numeric_limits<double>::infinity();
  if (!mpfr_regular_p(exact) || mpfr_get_exp(exact) <= format.leastExponent()) return 0;
  if (std::isinf(rounded(format, exact, MPFR_RNDN))) return 0;
  if (!std::isfinite(got)) return std::numeric_limits<double>::infinity();
  Number difference(got);
  mpfr_sub(difference, difference, exact, MPFR_RNDN);
  mpfr_mul_2si(difference, difference, format.digits - mpfr_get_exp(exact), MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference, MPFR_RNDN));
}

}  // namespace lathe::accuracy
