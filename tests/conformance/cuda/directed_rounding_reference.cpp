// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of directed_rounding.cu: the host's arithmetic with its processor in the same mode.
#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 640, functions = 7 * 4;
constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

// Volatile, so that nothing is computed but where it stands, between two changes of the mode.
template <class Real, class F>
Real inMode(int mode, Real a, Real b, Real c, const F& of) {
  volatile Real x = a, y = b, z = c;
  std::fesetround(mode);
  volatile Real out = of(x, y, z);
  std::fesetround(FE_TONEAREST);
  return out;
}

template <class Real, class Bits>
struct Output {
  Arguments& in;
  Bits* out;

  [[nodiscard]] Real at(std::size_t argument, std::size_t i) const { return in[argument].as<Real>()[i]; }
  void store(Real x) {
    if (std::isnan(x))
      *out = ~Bits{0};
    else
      std::memcpy(out, &x, sizeof x);
    ++out;
  }
  /// A function of three numbers, in all modes.
  template <class F>
  void put(const F& of) {
    for (const int mode : modes)
      for (std::size_t i = 0; i < n; ++i) store(inMode(mode, at(0, i), at(1, i), at(2, i), of));
  }
};

template <class Real, class Bits>
void reference(Arguments& a, const DeviceInfo&) {
  using Number = volatile Real&;
  Output<Real, Bits> out{a, a[3].as<Bits>()};
  out.put([](Number x, Number y, Number) { return x + y; });
  out.put([](Number x, Number y, Number) { return x - y; });
  out.put([](Number x, Number y, Number) { return x * y; });
  out.put([](Number x, Number y, Number) { return x / y; });
  out.put([](Number x, Number y, Number z) { return std::fma(x, y, z); });
  out.put([](Number x, Number, Number) { return Real{1} / x; });
  out.put([](Number x, Number, Number) { return std::sqrt(x); });
  if constexpr (sizeof(Real) == sizeof(float))
    for (std::size_t i = 0; i < n; ++i)
      out.store(static_cast<float>(1 / std::sqrt(static_cast<long double>(a[0].as<Real>()[i]))));
}

void pairs(Arguments& a, const DeviceInfo&) {
  using Number = volatile float&;
  Output<float, std::uint32_t> out{a, a[3].as<std::uint32_t>()};
  out.put([](Number x, Number y, Number) { return x + y; });
  out.put([](Number x, Number, Number z) { return z + x; });
  out.put([](Number x, Number y, Number) { return x * y; });
  out.put([](Number x, Number, Number z) { return z * x; });
  out.put([](Number x, Number y, Number z) { return std::fma(x, y, z); });
  out.put([](Number x, Number y, Number z) { return std::fma(z, x, y); });
  out.put([](Number x, Number y, Number z) { return std::fma(x, y, z); });
}

/// Edges with edges, bits of all exponents, numbers near each other.
template <class Real, class Bits>
std::vector<Real> operands(std::size_t period, std::uint64_t seed) {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> edge = {0,
                            1,
                            3,
                            Limits::denorm_min(),
                            Limits::min(),
                            Limits::min() - Limits::denorm_min(),
                            Limits::max(),
                            1 + Limits::epsilon(),
                            Real(0.1),
                            Limits::infinity()};
  for (std::size_t i = 0, count = edge.size(); i < count; ++i) edge.push_back(-edge[i]);
  edge.push_back(Limits::quiet_NaN());
  std::vector<Real> out(n);
  const auto bits = scrambled<Bits>(n, seed);
  std::memcpy(out.data(), bits.data(), n * sizeof(Real));
  for (std::size_t i = 0; i < edge.size() * edge.size(); ++i) out[i] = edge[i / period % edge.size()];
  for (std::size_t i = n - 128; i < n; ++i)  // of like magnitude: sums that cancel, products that do not end
    out[i] =
        std::ldexp(static_cast<Real>(static_cast<std::make_signed_t<Bits>>(bits[i])), static_cast<int>(i % 5) - 40);
  return out;
}

template <class Real, class Bits>
Case makeCase(const char* name, std::size_t extra) {
  auto thirds = operands<Real, Bits>(5, 943);
  const auto firsts = operands<Real, Bits>(1, 941), seconds = operands<Real, Bits>(21, 942);
  // Third operands that take all but the last digits of the product away, or all.
  for (std::size_t i = 0; i < n; i += 3)
    if (std::isfinite(firsts[i] * seconds[i])) thirds[i] = -firsts[i] * seconds[i];
  return {.name = name,
          .kernel = name,
          .launch = {.grid = {n / 64}, .group = {64}},
          .arguments = {array(firsts), array(seconds), array(thirds), zeros<Bits>(n * (functions + extra)),
                        value(static_cast<int>(n))},
          .reference = reference<Real, Bits>};
}

}  // namespace

std::vector<Case> cases_cuda_directed_rounding() {
  Case both = makeCase<float, std::uint32_t>("pairs", 0);
  both.reference = pairs;
  return {makeCase<float, std::uint32_t>("floats", 1), makeCase<double, std::uint64_t>("doubles", 0), both};
}

}  // namespace lathe::conformance
