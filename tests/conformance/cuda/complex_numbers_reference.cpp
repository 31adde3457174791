// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of complex_numbers.cu in long double. Products of whole numbers are exact; quotients and lengths of what
// would overflow or vanish when squared are off by a few units.
#include <array>
#include <cmath>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 32, functions = 7;
using Wide = long double;

template <class Real>
void reference(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const Real* const in = a[0].as<Real>() + 6 * i;
    const Wide p = in[0], q = in[1], r = in[2], s = in[3], t = in[4], u = in[5], square = r * r + s * s;
    const std::array<Wide, 2> results[functions] = {{p + r, q + s},
                                                    {p - r, q - s},
                                                    {p, -q},
                                                    {p * r - q * s, p * s + q * r},
                                                    {p * r - q * s + t, p * s + q * r + u},
                                                    {(p * r + q * s) / square, (q * r - p * s) / square},
                                                    {std::hypot(p, q), std::hypot(r, s)}};
    for (std::size_t k = 0; k < functions; ++k)
      for (std::size_t part = 0; part < 2; ++part)
        a[1].as<Real>()[k * 2 * n + 2 * i + part] = static_cast<Real>(results[k][part]);
  }
}

void converted(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    a[1].as<double>()[2 * i] = static_cast<double>(static_cast<float>(a[0].as<double>()[2 * i]));
    a[1].as<double>()[2 * i + 1] = -static_cast<double>(static_cast<float>(a[0].as<double>()[2 * i + 1]));
  }
}

/// Whole numbers, so that sums of products are exact; the last of a size whose squares are beyond the type.
template <class Real>
std::vector<Real> numbers() {
  std::vector<Real> out;
  for (const std::int64_t bits : scrambled<std::int64_t>(6 * n, 961)) {
    const Real size = out.size() < 4 * n   ? 1
                      : out.size() < 5 * n ? Real(sizeof(Real) == 4 ? 1e25 : 1e200)
                                           : Real(sizeof(Real) == 4 ? 1e-25 : 1e-200);
    out.push_back(static_cast<Real>(bits % 1000 + (bits % 1000 == 0 ? 7 : 0)) * size);
  }
  return out;
}

/// Products of the large and the small ones are infinite or vanish: left out.
template <class Real>
Case makeCase(const char* name) {
  Case out = {.name = name,
              .kernel = name,
              .launch = {.grid = {n / 32}, .group = {32}},
              .arguments = {array(numbers<Real>()), zeros<Real>(2 * n * functions), value(static_cast<int>(n))},
              .reference = reference<Real>};
  out.tolerances = std::vector<Tolerance>(2 * n * functions);
  // A part of a quotient may cancel; quotients are below 1000.
  const double cancelled = sizeof(Real) == sizeof(float) ? 1e-3 : 1e-12;
  for (std::size_t i = 5 * 2 * n; i < out.tolerances.size(); ++i)
    out.tolerances[i] = {.ulp = 4, .absolute = i < 12 * n ? cancelled : 0};
  out.normalise = [](Arguments& a) {
    for (std::size_t i = 3 * 2 * n; i < 5 * 2 * n; ++i)
      if (i % (2 * n) >= 4 * n / 3) a[1].as<Real>()[i] = 0;
  };
  return out;
}

}  // namespace

std::vector<Case> cases_cuda_complex_numbers() {
  return {makeCase<float>("floats"),
          makeCase<double>("doubles"),
          {.name = "converted",
           .kernel = "converted",
           .launch = {.grid = {1}, .group = {n}},
           .arguments = {array(numbers<double>()), zeros<double>(2 * n)},
           .reference = converted}};
}

}  // namespace lathe::conformance
