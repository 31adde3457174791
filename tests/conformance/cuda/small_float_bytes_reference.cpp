// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of small_float_bytes.cu, by the tables of the OCP 8-bit Floating Point Specification (OFP8), revision 1.0:
// E4M3 has no infinity and one code for what is not a number, E5M2 is the upper half of a half. Beyond the largest
// comes that itself, or without saturation the infinity, or not a number where there is none.
#include <array>
#include <bit>

#include "tests/conformance/suite/case.h"
#include "tests/conformance/suite/small_float.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 128;

double valueOf(unsigned code, bool e4m3) {
  const int fractionBits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  const unsigned magnitude = code & 0x7f, exponent = magnitude >> fractionBits;
  const unsigned fraction = magnitude & ((1U << fractionBits) - 1);
  double out = std::ldexp(fraction, 1 - bias - fractionBits);
  if (exponent != 0)
    out = std::ldexp(fraction + (1U << fractionBits), static_cast<int>(exponent) - bias - fractionBits);
  if (e4m3 ? magnitude == 0x7f : magnitude > 0x7c) out = std::numeric_limits<double>::quiet_NaN();
  if (!e4m3 && magnitude == 0x7c) out = HUGE_VAL;
  return code & 0x80 ? -out : out;
}

/// The nearest code, of two equally near ones the even one: by search.
unsigned codeOf(double x, bool e4m3, bool saturates) {
  if (std::isnan(x)) return 0x7f;
  const unsigned sign = std::signbit(x) ? 0x80 : 0, largest = e4m3 ? 0x7e : 0x7b;
  const double magnitude = std::fabs(x);
  const double below = valueOf(largest, e4m3), step = below - valueOf(largest - 1, e4m3), limit = below + step / 2;
  if (magnitude > limit || (magnitude == limit && (largest & 1) != 0))
    return saturates ? sign | largest : e4m3 ? 0x7f : sign | 0x7c;
  unsigned best = 0;
  for (unsigned code = 1; code <= largest; ++code) {
    const double now = std::fabs(valueOf(code, e4m3) - magnitude), before = std::fabs(valueOf(best, e4m3) - magnitude);
    if (now < before || (now == before && code % 2 == 0)) best = code;
  }
  return sign | best;
}

void narrow(Arguments& a, const DeviceInfo&) {
  const double* const in = a[0].as<double>();
  for (std::size_t i = 0; i < n; ++i)
    for (unsigned form = 0; form < 4; ++form) {
      std::uint32_t* const out = a[1].as<std::uint32_t>() + form * 8 * n + i;
      const auto both = [&](auto narrowed) {
        const unsigned first = codeOf(narrowed(in[i]), !(form & 1), !(form & 2));
        return std::array{first, first | codeOf(narrowed(in[n - 1 - i]), !(form & 1), !(form & 2)) << 8};
      };
      const std::array<unsigned, 2> columns[] = {
          both([](double x) { return x; }), both([](double x) { return static_cast<double>(static_cast<float>(x)); }),
          both([](double x) { return half.value(half.bits(x)); }),
          both([](double x) { return bfloat.value(bfloat.bits(x)); })};
      for (std::size_t k = 0; k < 8; ++k) out[k * n] = columns[k % 4][k / 4];
    }
}

void wide(Arguments& a, const DeviceInfo&) {
  for (unsigned code = 0; code < 256; ++code)
    for (unsigned form = 0; form < 2; ++form) {
      const unsigned first = half.bits(valueOf(code, form == 0)), second = half.bits(valueOf(code ^ 0x80, form == 0));
      a[0].as<std::uint32_t>()[form * 512 + code] = first;
      a[0].as<std::uint32_t>()[form * 512 + 256 + code] = first | second << 16;
    }
}

/// Every code's number of a format, the middle to the next, and what is just beside that, beyond the ends too.
std::vector<double> inputs() {
  std::vector<double> out = {0,
                             448,
                             464,
                             464.0001,
                             480,
                             61440,
                             61439,
                             57344,
                             65536,
                             1e30,
                             HUGE_VAL,
                             std::ldexp(1, -10),
                             std::ldexp(1, -9),
                             std::ldexp(3, -11),
                             std::ldexp(1, -17),
                             std::ldexp(1, -18),
                             1e-30,
                             std::numeric_limits<double>::quiet_NaN()};
  for (std::size_t i = 0; out.size() + 4 <= n; ++i) {
    const unsigned code = static_cast<unsigned>(i * 37 % 0x7b);
    const double x = valueOf(code, i % 2 == 0), middle = (x + valueOf(code + 1, i % 2 == 0)) / 2;
    out.insert(out.end(), {i % 3 == 0 ? -x : x, middle, -std::nextafter(middle, 0.0), middle * (1 + 0x1p-26)});
  }
  out.resize(n, -464);
  return out;
}

constexpr std::array<std::uint64_t, 8> strange = {0x7ff8000000000000, 0xfff8000000000000, 0xfff4000000000001,
                                                  0x7ff0000000000001, 0x3ff0000000000000, 0xc0f0000000000000,
                                                  0xffffffffffffffff, 0x3fb0000000000001};
/// As CUDA's header has it: what is not a number keeps its sign and, in E5M2, the upper two digits.
unsigned signedCodeOf(std::uint64_t bits, bool e4m3, bool saturates) {
  const double x = std::bit_cast<double>(bits);
  if (!std::isnan(x)) return codeOf(x, e4m3, saturates);
  return static_cast<unsigned>(bits >> 63 << 7 | (e4m3 ? 0x7f : 0x7e | (bits >> 50 & 3)));
}
void signs(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < strange.size(); ++i) {
    std::uint32_t* const row = a[1].as<std::uint32_t>() + 10 * i;
    const auto several = [&](std::size_t count, bool e4m3, bool saturates) {
      unsigned out = 0;
      for (std::size_t k = 0; k < count; ++k) out |= signedCodeOf(strange[(i + k) % 8], e4m3, saturates) << 8 * k;
      return out;
    };
    const unsigned both = several(1, true, true) | several(1, false, true) << 8;
    const std::array<unsigned, 10> codes = {several(1, true, true),
                                            several(1, false, false),
                                            both,
                                            several(2, true, true),
                                            several(2, false, true),
                                            several(4, true, true),
                                            several(4, false, true),
                                            2,
                                            2,
                                            several(2, false, false)};
    std::copy(codes.begin(), codes.end(), row);
  }
}

}  // namespace

std::vector<Case> cases_cuda_small_float_bytes() {
  return {{.name = "narrow",
           .kernel = "narrow",
           .launch = {.grid = {n / 32}, .group = {32}},
           .arguments = {array(inputs()), zeros<std::uint32_t>(32 * n), value(static_cast<int>(n))},
           .reference = narrow},
          {.name = "wide",
           .kernel = "wide",
           .launch = {.grid = {1}, .group = {256}},
           .arguments = {zeros<std::uint32_t>(1024)},
           .reference = wide},
          {.name = "signs",
           .kernel = "signs",
           .launch = {.grid = {1}, .group = {8}},
           .arguments = {array(std::vector<std::uint64_t>(strange.begin(), strange.end())), zeros<std::uint32_t>(80)},
           .reference = signs}};
}

}  // namespace lathe::conformance
