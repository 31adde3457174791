// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of transforms.cu: the sums that define the transforms.
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

#include "tests/conformance/programs/data.h"

namespace lathe::conformance {
namespace {

void fourier(Arguments& a, const Environment&) {
  constexpr int n = 128;
  for (int block = 0; block < 2; ++block)
    for (int k = 0; k < n; ++k) {
      std::complex<double> sum = 0;
      for (int i = 0; i < n; ++i) {
        const float* const x = a[0].as<float>() + 2 * (block * n + i);
        sum += std::complex<double>(x[0], x[1]) * std::polar(1.0, -2 * std::numbers::pi * (i * k % n) / n);
      }
      float* const y = a[1].as<float>() + 2 * (block * n + k);
      y[0] = static_cast<float>(sum.real());
      y[1] = static_cast<float>(sum.imag());
    }
}

constexpr std::uint64_t prime = 998244353;
std::uint64_t raised(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t out = 1;
  for (; exponent; exponent >>= 1, base = base * base % prime)
    if (exponent & 1) out = out * base % prime;
  return out;
}
void numberTheoretic(Arguments& a, const Environment&) {
  const std::uint64_t n = std::uint64_t{1} << *a[1].as<int>(), root = raised(3, (prime - 1) / n);
  const std::vector<unsigned> x(a[0].as<unsigned>(), a[0].as<unsigned>() + n);
  for (std::uint64_t k = 0; k < n; ++k) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) sum = (sum + x[i] * raised(root, i * k % n)) % prime;
    a[0].as<unsigned>()[k] = static_cast<unsigned>(sum);
  }
}

void hadamard(Arguments& a, const Environment&) {
  for (std::size_t base = 0; base < a[0].count(); base += 128) {
    const std::vector<int> x(a[0].as<int>() + base, a[0].as<int>() + base + 128);
    for (unsigned k = 0; k < 128; ++k) {
      int sum = 0;
      for (unsigned i = 0; i < 128; ++i) sum += std::popcount(i & k) % 2 ? -x[i] : x[i];
      a[0].as<int>()[base + k] = sum;
    }
  }
}

void cosines(Arguments& a, const Environment&) {
  const int width = *a[2].as<int>();
  const auto basis = [](int u, int x) {
    return (u ? 0.5 : std::sqrt(0.125)) * std::cos((2 * x + 1) * u * std::numbers::pi / 16);
  };
  for (int by = 0; by < 2; ++by)
    for (int bx = 0; bx < 3; ++bx)
      for (int v = 0; v < 8; ++v)
        for (int u = 0; u < 8; ++u) {
          double sum = 0;
          for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 8; ++x)
              sum +=
                  static_cast<double>(a[0].as<float>()[(by * 8 + y) * width + bx * 8 + x]) * basis(v, y) * basis(u, x);
          a[1].as<float>()[(by * 8 + v) * width + bx * 8 + u] = static_cast<float>(sum);
        }
}

}  // namespace

std::vector<Case> cases_programs_transforms() {
  std::vector<unsigned> residues = scrambled<unsigned>(256, 62);
  for (unsigned& x : residues) x = static_cast<unsigned>(x % prime);
  return {{.name = "fourier",
           .kernel = "fourier<128>",
           .launch = {.grid = {2}, .group = {64}},
           .arguments = {array(fractions(512, 61)), zeros<float>(512)},
           .reference = fourier,
           .tolerances = {{.absolute = 5e-5}}},
          {.name = "number_theoretic",
           .kernel = "numberTheoretic",
           .launch = {.grid = {1}, .group = {96}, .dynamicSharedBytes = 1024},
           .arguments = {array(residues), value(8)},
           .reference = numberTheoretic},
          {.name = "hadamard",
           .kernel = "hadamard",
           .launch = {.grid = {2}, .group = {64}},
           .arguments = {wholes<int>(512, 63, 1000)},
           .reference = hadamard},
          {.name = "cosines",
           .kernel = "cosines",
           .launch = {.grid = {3, 2}, .group = {8, 8}},
           .arguments = {array(fractions(24 * 16, 64)), zeros<float>(24 * 16), value(24)},
           .reference = cosines,
           .tolerances = {{.absolute = 1e-5}}}};
}

}  // namespace lathe::conformance
