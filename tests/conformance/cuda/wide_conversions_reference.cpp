// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of wide_conversions.cu: the host compiler's conversions.
#include <cmath>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

__extension__ using I128 = __int128;
__extension__ using U128 = unsigned __int128;
constexpr std::size_t n = 256;

/// Of all magnitudes and signs; ties of float and double, and their neighbours, among them.
std::vector<I128> numbers() {
  const auto words = scrambled<std::uint64_t>(2 * n, 91);
  std::vector<I128> out;
  for (std::size_t i = 0; i < n; ++i) {
    const U128 bits = static_cast<U128>(words[2 * i]) << 64 | words[2 * i + 1];
    const auto shift = static_cast<unsigned>(i % 128);
    U128 number = bits >> shift;
    if (i % 3 == 0) number = (static_cast<U128>(0x1000001) << 100 >> shift) + (i % 2);
    if (i % 5 == 0) number = (static_cast<U128>(0x20000000000001) << 70 >> shift) - (i % 2);
    out.push_back(static_cast<I128>(i % 4 < 2 ? number : U128{0} - number));
  }
  out[0] = 0;
  out[1] = -1;
  out[2] = static_cast<I128>(U128{1} << 127);
  return out;
}

void toReals(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const I128 x = a[0].as<I128>()[i];
    a[1].as<double>()[2 * i] = static_cast<double>(x);
    a[1].as<double>()[2 * i + 1] = static_cast<double>(static_cast<U128>(x));
    a[2].as<float>()[2 * i] = static_cast<float>(x);
    a[2].as<float>()[2 * i + 1] = static_cast<float>(static_cast<U128>(x));
  }
}

/// In range of the signed type.
std::vector<double> reals() {
  std::vector<double> out;
  const auto words = scrambled<std::uint64_t>(n, 92);
  for (std::size_t i = 0; i < n; ++i) {
    const double fraction = static_cast<double>(words[i] >> 11) * 0x1p-53;
    out.push_back((i % 2 ? -1 : 1) * std::ldexp(fraction, static_cast<int>(i % 131) - 4));
  }
  return out;
}

void toIntegers(Arguments& a, const DeviceInfo&) {
  I128* const out = a[2].as<I128>();
  for (std::size_t i = 0; i < n; ++i) {
    const double x = a[0].as<double>()[i];
    const float y = a[1].as<float>()[i];
    out[4 * i] = static_cast<I128>(x);
    out[4 * i + 1] = static_cast<I128>(static_cast<U128>(std::fabs(x)));
    out[4 * i + 2] = static_cast<I128>(y);
    out[4 * i + 3] = static_cast<I128>(static_cast<U128>(std::fabs(y)));
  }
}

void powers(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const double x = a[0].as<double>()[i];
    const int exponent = a[1].as<int>()[i];
    a[2].as<double>()[2 * i] = std::pow(x, exponent);
    a[2].as<double>()[2 * i + 1] = std::pow(x, 5);
    a[3].as<float>()[2 * i] = static_cast<float>(std::pow(static_cast<double>(static_cast<float>(x)), exponent));
    a[3].as<float>()[2 * i + 1] = static_cast<float>(std::pow(static_cast<double>(static_cast<float>(x)), -2));
  }
}

void zeroedMemory(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < 64; ++i) {
    int out = 0;
    for (int k = 0; k < 16; ++k)
      out = static_cast<int>(static_cast<unsigned>(out) * 3u) + (a[0].as<int>()[i] == k ? 3 * static_cast<int>(i) : 0);
    a[1].as<int>()[i] = out;
  }
}

}  // namespace

std::vector<Case> cases_cuda_wide_conversions() {
  const std::vector<double> doubles = reals();
  std::vector<double> bases;
  std::vector<int> exponents, places;
  for (std::size_t i = 0; i < n; ++i) {
    bases.push_back((i % 3 ? 1 : -1) * (0.5 + static_cast<double>(i) / 100));
    exponents.push_back(static_cast<int>(i * 7 % 31) - 15);
  }
  for (std::size_t i = 0; i < 64; ++i) places.push_back(static_cast<int>(i * 5 % 16));
  const LaunchOptions launch = {.grid = {4}, .group = {64}};
  return {{.name = "to_reals",
           .kernel = "toReals",
           .launch = launch,
           .arguments = {array(numbers()), zeros<double>(2 * n), zeros<float>(2 * n)},
           .reference = toReals},
          {.name = "to_integers",
           .kernel = "toIntegers",
           .launch = launch,
           .arguments = {array(doubles), array(std::vector<float>(doubles.begin(), doubles.end())), zeros<I128>(4 * n)},
           .reference = toIntegers},
          {.name = "powers",
           .kernel = "powers",
           .launch = launch,
           .arguments = {array(bases), array(exponents), zeros<double>(2 * n), zeros<float>(2 * n)},
           .reference = powers,
           .tolerances = {{.ulp = 16}}},
          {.name = "zeroed_memory",
           .kernel = "zeroedMemory",
           .launch = {.grid = {1}, .group = {64}},
           .arguments = {array(places), zeros<int>(64)},
           .reference = zeroedMemory}};
}

}  // namespace lathe::conformance
