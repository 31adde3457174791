// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of conversions.cu: rounding by the C library, then saturation as PTX's `cvt` defines it, and what it gives
// for "not a number".
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> inputs = {
    0,           -0.0,        0.5,      1.5,       2.5,         -0.5,        -1.5,         -2.5,
    0.75,        -0.75,       1e9,      -1e9,      2147483520., 2147483648., -2147483648., -3e9,
    4294967040., 4294967296., 5e9,      1e15,      -1e15,       9.2e18,      9.3e18,       -9.3e18,
    1.8e19,      1.9e19,      infinity, -infinity, notANumber,  123456.7,    -123456.7,    1e-30};

/// `rounded` as an integer: the nearest one there is, `invalid` for what is not a number.
template <class Integer>
Integer saturate(double rounded, Integer invalid) {
  if (std::isnan(rounded)) return invalid;
  if (rounded >= std::ldexp(1.0, std::numeric_limits<Integer>::digits)) return std::numeric_limits<Integer>::max();
  if (rounded <= static_cast<double>(std::numeric_limits<Integer>::min())) return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(rounded);
}

template <class To, class From>
To bitsOf(From x) {
  To out;
  static_assert(sizeof out == sizeof x);
  std::memcpy(&out, &x, sizeof x);
  return out;
}

constexpr long long lowest = std::numeric_limits<long long>::min();

void fromFloat(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const float x = a[0].as<float>()[i];
    const long long row[] = {saturate<int>(std::rint(x), 0),
                             saturate<int>(std::trunc(x), 0),
                             saturate<int>(std::ceil(x), 0),
                             saturate<int>(std::floor(x), 0),
                             saturate<unsigned>(std::rint(x), 0),
                             saturate<long long>(std::floor(x), lowest),
                             static_cast<long long>(saturate<unsigned long long>(std::ceil(x), 1ull << 63)),
                             bitsOf<int>(x)};
    std::copy(std::begin(row), std::end(row), a[1].as<long long>() + i * 8);
  }
}

void fromDouble(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double x = a[0].as<double>()[i];
    const long long row[] = {saturate<int>(std::rint(x), std::numeric_limits<int>::min()),
                             saturate<unsigned>(std::trunc(x), 1u << 31),
                             saturate<long long>(std::ceil(x), lowest),
                             static_cast<long long>(saturate<unsigned long long>(std::floor(x), 1ull << 63)),
                             bitsOf<long long>(x),
                             bitsOf<int>(static_cast<float>(x))};
    std::copy(std::begin(row), std::end(row), a[1].as<long long>() + i * 6);
  }
}

}  // namespace

std::vector<Case> cases_cuda_conversions() {
  const int n = static_cast<int>(inputs.size());
  return {{.name = "float_to_integer",
           .kernel = "floatToInteger",
           .launch = {.grid = {1}, .group = {32}},
           .arguments = {array(std::vector<float>(inputs.begin(), inputs.end())), zeros<long long>(inputs.size() * 8),
                         value(n)},
           .reference = fromFloat},
          {.name = "double_to_integer",
           .kernel = "doubleToInteger",
           .launch = {.grid = {1}, .group = {32}},
           .arguments = {array(inputs), zeros<long long>(inputs.size() * 6), value(n)},
           .reference = fromDouble}};
}

}  // namespace lathe::conformance
