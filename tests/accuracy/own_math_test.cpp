// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's own mathematics (core/device/math.cpp), compiled for this machine, against MPFR: no worse than what
// accuracy.def holds those targets to that are served by it, beyond the ranges of accuracy.def too, and the values that
// C's Annex F demands. No device takes part, so that a wrong result is the code's and not an emulator's.
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/accuracy/references.h"
#include "tests/accuracy/rows.h"

#define UNARY_FUNCTIONS(f)                                                                                \
  f(cospi) f(cyl_bessel_i0) f(cyl_bessel_i1) f(erfcinv) f(erfcx) f(erfinv) f(j0) f(j1) f(logb) f(normcdf) \
      f(normcdfinv) f(rcbrt) f(rsqrt) f(sinpi) f(tgamma) f(y0) f(y1)
#define BINARY_FUNCTIONS(f) f(atan2) f(rhypot)

extern "C" {
#define DECLARE(name)                  \
  float __lathe_math_##name##f(float); \
  double __lathe_math_##name(double);
UNARY_FUNCTIONS(DECLARE)
#undef DECLARE
#define DECLARE(name)                         \
  float __lathe_math_##name##f(float, float); \
  double __lathe_math_##name(double, double);
BINARY_FUNCTIONS(DECLARE)
#undef DECLARE
}

namespace lathe::accuracy {
namespace {

/// A function as one of two doubles, in the precision of its format.
struct Own {
  std::string name;
  std::array<double (*)(double, double), 2> compute;
};
const std::vector<Own>& ownFunctions() {
  static const std::vector<Own> all = {
#define UNARY(name)                                                                                                \
  {#name,                                                                                                          \
   {[](double x, double) -> double { return static_cast<double>(__lathe_math_##name##f(static_cast<float>(x))); }, \
    [](double x, double) -> double { return __lathe_math_##name(x); }}},
      UNARY_FUNCTIONS(UNARY)
#undef UNARY
#define BINARY(name)                                                                                    \
  {#name,                                                                                               \
   {[](double x, double y) -> double {                                                                  \
      return static_cast<double>(__lathe_math_##name##f(static_cast<float>(x), static_cast<float>(y))); \
    },                                                                                                  \
    [](double x, double y) -> double { return __lathe_math_##name(x, y); }}},
          BINARY_FUNCTIONS(BINARY)
#undef BINARY
  };
  return all;
}

const Own& ownFunction(const std::string& name) {
  for (const Own& own : ownFunctions())
    if (own.name == name) return own;
  ADD_FAILURE() << name << " is not in the list";
  return ownFunctions().front();
}

/// The largest error over a range, and where it is.
struct Worst {
  double error = 0, x = 0, y = 0;
};

Worst worstOf(const Own& own, unsigned which, double low, double high, Measure measure, int samples) {
  const Format& format = which == 0 ? float32 : float64;
  const Reference reference = referenceOf(own.name);
  std::mt19937_64 engine(29);
  const auto draw = [&] {
    const double unit = static_cast<double>(engine() >> 11) * 0x1p-53;
    double x = low + (high - low) * unit;
    // Every second one near zero, as far as the range comes there.
    if (const double small = high * std::exp2(-40 * unit); (engine() & 1) && small > low) x = small;
    return format.decode(format.encode(x));
  };
  Worst out;
  for (int i = 0; i < samples; ++i) {
    const double x = draw(), y = draw();
    if (x <= low || x >= high) continue;
    const double got = own.compute[which](x, y);
    Number exact, first(x), second(y), none;
    reference(exact, first, second, none);
    double error = placesBetween(format, got, exact);
    if (measure == Measure::absolute) {
      mpfr_sub_d(exact, exact, got, MPFR_RNDN);
      error = std::fabs(mpfr_get_d(exact, MPFR_RNDN));
    }
    if (!(error <= out.error)) out = {error, x, y};
  }
  return out;
}

TEST(OwnMath, KeepsTheBoundsOfItsTargets) {
  std::size_t checked = 0;
  for (const Row& row : rows()) {
    if (row.isSmall()) continue;
    for (const Own& own : ownFunctions()) {
      if (own.name != row.name) continue;
      for (const unsigned which : {0U, 1U}) {
        const Worst worst = worstOf(own, which, row.low, row.high, row.measure, 1000);
        EXPECT_LE(worst.error, row.bounds[static_cast<unsigned>(Library::libclc)][which])
            << row.calls[which] << '(' << worst.x << ", " << worst.y << ')';
        ++checked;
      }
    }
  }
  EXPECT_GE(checked, 2 * ownFunctions().size());
}

TEST(OwnMath, GammaKeepsItsBoundsOnItsWholeDomain) {
  const Own& gamma = ownFunction("tgamma");
  constexpr std::pair<double, double> ranges[] = {{0, 1},
                                                  {1, 3},
                                                  {3, 34},
                                                  {34, 171.6},
                                                  {-1e-6, 0},
                                                  {-1, 0},
                                                  {-5, -1},
                                                  {-34, -5},
                                                  {-128, -34},
                                                  {-170.5, -128},
                                                  {-3 - 1e-9, -3 + 1e-9},
                                                  {-20 - 1e-9, -20 + 1e-9}};
  for (const auto& [low, high] : ranges) {
    const Worst wide = worstOf(gamma, 1, low, high, Measure::places, 1500);
    EXPECT_LE(wide.error, 3) << "tgamma(" << wide.x << ')';
    const Worst narrow = worstOf(gamma, 0, low, high, Measure::places, 1500);
    EXPECT_LE(narrow.error, 1) << "tgammaf(" << narrow.x << ')';
  }
}

TEST(OwnMath, GammaAtItsPolesAndEnds) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto gamma = ownFunction("tgamma").compute[1];
  EXPECT_EQ(gamma(0.0, 0), infinity);
  EXPECT_EQ(gamma(-0.0, 0), -infinity);
  EXPECT_EQ(gamma(infinity, 0), infinity);
  EXPECT_EQ(gamma(171.7, 0), infinity);
  EXPECT_EQ(gamma(1e300, 0), infinity);
  for (const double x : {-1.0, -2.0, -170.0, -1e300, -infinity, std::nan("")})
    EXPECT_TRUE(std::isnan(gamma(x, 0))) << x;
  EXPECT_EQ(gamma(1, 0), 1);
  EXPECT_EQ(gamma(2, 0), 1);
  // Too small for a number: zeros of gamma's sign there, and one that is subnormal before.
  EXPECT_EQ(gamma(-184.5, 0), 0);
  EXPECT_TRUE(std::signbit(gamma(-184.5, 0)));
  EXPECT_EQ(gamma(-185.5, 0), 0);
  EXPECT_FALSE(std::signbit(gamma(-185.5, 0)));
  EXPECT_EQ(gamma(-187.5, 0), 0);
  EXPECT_FALSE(std::signbit(gamma(-187.5, 0)));
  EXPECT_NEAR(gamma(-172.5, 0) / std::tgamma(-172.5), 1, 1e-9);
  EXPECT_LT(std::fabs(gamma(-172.5, 0)), std::numeric_limits<double>::min());
}

TEST(OwnMath, AnglesOfSpecialOperands) {
  using Limits = std::numeric_limits<double>;
  constexpr double infinity = Limits::infinity();
  const double operands[] = {0,      1,     Limits::denorm_min(), Limits::min(), Limits::max(), infinity, 3,
                             1e-200, 1e200, std::nan("")};
  const auto angle = ownFunction("atan2").compute[1];
  const auto angleOfFloats = ownFunction("atan2").compute[0];
  const auto near = [](double got, double want, double places, double y, double x) {
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(got)) << y << ", " << x;
      return;
    }
    EXPECT_EQ(std::signbit(got), std::signbit(want)) << y << ", " << x;
    EXPECT_LE(std::fabs(got - want), places * std::fabs(want)) << y << ", " << x;
  };
  for (const double sizeOfY : operands) {
    for (const double sizeOfX : operands) {
      for (const double y : {sizeOfY, -sizeOfY}) {
        for (const double x : {sizeOfX, -sizeOfX}) {
          near(angle(y, x), std::atan2(y, x), 0x1p-51, y, x);
          const auto narrowY = static_cast<float>(y), narrowX = static_cast<float>(x);
          near(angleOfFloats(y, x), static_cast<double>(std::atan2(narrowY, narrowX)), 0x1p-22, y, x);
        }
      }
    }
  }
}

}  // namespace
}  // namespace lathe::accuracy
