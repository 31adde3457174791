// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of exact_functions.cu: the C library's functions; exponents of 0, of infinities and of what is not a
// number are CUDA's (CUDA Math API, "ilogb").
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

using I64 = std::int64_t;
using U64 = std::uint64_t;
constexpr std::size_t n = 512, realFunctions = 21, wholeFunctions = 7, integerFunctions = 19;

int exponentOf(double x) {
  constexpr int lowest = std::numeric_limits<int>::min();
  if (x == 0 || std::isnan(x)) return lowest;
  return std::isinf(x) ? std::numeric_limits<int>::max() : std::ilogb(x);
}

template <class Real, class Bits>
void reference(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const Real x = a[0].as<Real>()[i], y = a[1].as<Real>()[i];
    Bits* out = a[2].as<Bits>() + i;
    I64* whole = a[3].as<I64>() + i;
    const auto put = [&](Real result) {
      if (std::isnan(result))
        *out = ~Bits{0};
      else
        std::memcpy(out, &result, sizeof result);
      out += n;
    };
    const auto count = [&](I64 number) {
      *whole = number;
      whole += n;
    };
    for (const Real result : {std::ceil(x), std::floor(x), std::trunc(x), std::nearbyint(x), std::nearbyint(x),
                              std::round(x), std::copysign(x, y), std::nextafter(x, y), std::fmax(x, y) + 0,
                              std::fmin(x, y) + 0, std::fdim(x, y), std::logb(x), std::fabs(x)})
      put(result);
    int exponent = 0;
    Real fraction = std::frexp(x, &exponent), integral = 0;
    if (!std::isfinite(x)) exponent = 0;
    put(fraction);
    put(x);
    put(std::scalbn(x, static_cast<int>(i) % 41 - 20));
    put(std::scalbln(x, static_cast<long>(i) % 4000 - 2000));
    put(std::modf(x, &integral));
    put(integral);
    const bool divides = std::isfinite(x) && std::isfinite(y) && y != 0;
    int quotient = 0;
    put(std::remquo(divides ? x : Real(7.5), divides ? y : Real(-2), &quotient));
    put(std::numeric_limits<Real>::quiet_NaN());
    count(std::abs(quotient) & 7);
    count(exponent);
    count(exponentOf(static_cast<double>(x)));
    const Real small = std::fabs(x) < Real(4e18) ? x : Real(-2.5);
    for (const I64 number : {std::lrint(small), std::lrint(small), std::lround(small), std::lround(small)})
      count(number);
  }
}

I64 dotOfHalf(I64 x, I64 y, unsigned shift, bool isSigned) {
  I64 sum = 5;
  for (unsigned k = 0; k < 2; ++k) {
    const auto half = static_cast<std::uint16_t>(static_cast<U64>(x) >> 16 * k);
    const auto byte = static_cast<std::uint8_t>(static_cast<U64>(y) >> (shift + 8 * k));
    sum += isSigned ? I64{static_cast<std::int16_t>(half)} * static_cast<std::int8_t>(byte) : I64{half} * byte;
  }
  return sum;
}

U64 swapped(U64 x) {
  U64 out = 0;
  for (int byte = 0; byte < 8; ++byte) out = out << 8 | (x >> 8 * byte & 0xff);
  return out;
}

/// The position of the n-th set bit from `base` on, upwards or downwards; for 0 of that bit itself.
I64 bitFrom(std::uint32_t mask, unsigned base, int which) {
  std::vector<int> found;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += which < 0 ? -1 : 1)
    if (mask >> at & 1) found.push_back(at);
  if (which == 0) return !found.empty() && found[0] == static_cast<int>(base) ? found[0] : -1;
  const auto index = static_cast<std::size_t>(std::abs(which)) - 1;
  return index < found.size() ? found[index] : -1;
}

void integers(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const I64 x = a[0].as<I64>()[i], y = a[1].as<I64>()[i];
    const auto u = static_cast<std::uint32_t>(x), v = static_cast<std::uint32_t>(y);
    const auto p = static_cast<U64>(x), q = static_cast<U64>(y);
    const I64 row[] = {std::min(u, v),
                       std::max(u, v),
                       std::min(x, y),
                       std::max(x, y),
                       static_cast<I64>(std::min(p, q)),
                       static_cast<I64>(std::max(p, q)),
                       std::abs(x / 2),
                       std::abs(y / 2),
                       std::abs(static_cast<std::int32_t>(x) / 2),
                       dotOfHalf(x, y, 0, true),
                       dotOfHalf(x, y, 16, true),
                       dotOfHalf(x, y, 0, false),
                       dotOfHalf(x, y, 16, false),
                       static_cast<std::uint16_t>((x & 0xff) << 8 | (x >> 8 & 0xff)),
                       static_cast<std::uint32_t>(swapped(p << 32)),
                       static_cast<I64>(swapped(p)),
                       bitFrom(u, v & 31, 0),
                       bitFrom(u, v & 31, 1 + static_cast<int>(i & 7)),
                       bitFrom(u, v & 31, -1 - static_cast<int>(i & 7))};
    for (std::size_t k = 0; k < integerFunctions; ++k) a[2].as<I64>()[k * n + i] = row[k];
  }
}

template <class Real, class Bits>
std::vector<Real> operands(std::size_t period, std::uint64_t seed) {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> edge = {0,
                            1,
                            Real(0.5),
                            Real(1.5),
                            Real(2.5),
                            Limits::denorm_min(),
                            Limits::min(),
                            Limits::max(),
                            1 / Limits::epsilon() - Real(0.5),
                            1 / Limits::epsilon() + 1,
                            Limits::infinity()};
  for (std::size_t i = 0, count = edge.size(); i < count; ++i) edge.push_back(-edge[i]);
  edge.push_back(Limits::quiet_NaN());
  // The largest below a half, which adding a half and cutting gets wrong.
  edge.push_back(std::nextafter(Real(0.5), Real(0)));
  std::vector<Real> out(n);
  const auto bits = scrambled<Bits>(n, seed);
  std::memcpy(out.data(), bits.data(), n * sizeof(Real));
  for (std::size_t i = 0; i < n && i < edge.size() * edge.size(); ++i) out[i] = edge[i / period % edge.size()];
  for (std::size_t i = 480; i < n; ++i)
    out[i] =
        std::ldexp(static_cast<Real>(static_cast<std::make_signed_t<Bits>>(bits[i] >> 8 * (sizeof(Bits) - 2))), -4);
  return out;
}

template <class Real, class Bits>
Case makeCase(const char* name) {
  return {.name = name,
          .kernel = name,
          .launch = {.grid = {n / 64}, .group = {64}},
          .arguments = {array(operands<Real, Bits>(1, 971)), array(operands<Real, Bits>(24, 972)),
                        zeros<Bits>(n * realFunctions), zeros<I64>(n * wholeFunctions), value(static_cast<int>(n))},
          .reference = reference<Real, Bits>};
}

template <class Real>
void comparisons(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const Real x = a[0].as<Real>()[i], y = a[1].as<Real>()[i];
    const bool answers[] = {x > y,
                            x >= y,
                            x < y,
                            x <= y,
                            x < y || x > y,
                            x != x || y != y,
                            std::isnormal(x),
                            std::isfinite(y),
                            std::isinf(y),
                            std::isnan(y),
                            std::signbit(y)};
    int bits = 0;
    for (int k = 0; k < 11; ++k) bits |= answers[k] << k;
    a[2].as<int>()[i] = bits;
  }
}

template <class Real, class Bits>
Case comparisonsOf(const std::string& type) {
  return {.name = "comparisons_" + type,
          .kernel = "comparisons<" + type + ">",
          .launch = {.grid = {n / 64}, .group = {64}},
          .arguments = {array(operands<Real, Bits>(1, 975)), array(operands<Real, Bits>(24, 976)), zeros<int>(n),
                        value(static_cast<int>(n))},
          .reference = comparisons<Real>};
}

void orders(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(a[0].as<float>()[i]);
    const int order = static_cast<int>(i % 6);
    a[2].as<double>()[i] = ::jn(order, x);
    a[2].as<double>()[n + i] = ::yn(order, x);
    a[1].as<float>()[i] = static_cast<float>(::jn(order, x));
    a[1].as<float>()[n + i] = static_cast<float>(::yn(order, x));
  }
}

/// Each to its bound; how good they are says lathe_accuracy_test.
Case ordersCase() {
  std::vector<float> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(0.5f + 0.03125f * static_cast<float>(i));
  return {.name = "orders",
          .kernel = "orders",
          .launch = {.grid = {n / 64}, .group = {64}},
          .arguments = {array(x), zeros<float>(2 * n), zeros<double>(2 * n), value(static_cast<int>(n))},
          .reference = orders,
          .tolerances = {{.ulp = 64, .absolute = 5e-6}}};
}

}  // namespace

std::vector<Case> cases_cuda_exact_functions() {
  return {makeCase<float, std::uint32_t>("floats"),
          makeCase<double, U64>("doubles"),
          {.name = "integers",
           .kernel = "integers",
           .launch = {.grid = {n / 64}, .group = {64}},
           .arguments = {array(scrambled<I64>(n, 973)), array(scrambled<I64>(n, 974)), zeros<I64>(n * integerFunctions),
                         value(static_cast<int>(n))},
           .reference = integers},
          comparisonsOf<float, std::uint32_t>("float"),
          comparisonsOf<double, U64>("double"),
          ordersCase()};
}

}  // namespace lathe::conformance
