// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of language_bfloats.cu, by the format's definition (suite/small_float.h).
#include <bit>
#include <cmath>
#include <cstdint>

#include "tests/conformance/suite/case.h"
#include "tests/conformance/suite/small_float.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 256, blocks = 4, group = n / blocks;

std::uint16_t cleaned(unsigned bits) {
  return static_cast<std::uint16_t>((bits & 0x7fff) > bfloat.infinity() ? 0x7fff : bits);
}
std::uint16_t bitsOf(double x) {
  return static_cast<std::uint16_t>(bfloat.bits(x));
}

/// Corners of the format, and any others.
std::vector<std::uint16_t> inputs() {
  std::vector<std::uint16_t> out;
  for (const unsigned corner : corners(bfloat)) out.push_back(static_cast<std::uint16_t>(corner));
  for (unsigned i = 0; out.size() < n; ++i) out.push_back(static_cast<std::uint16_t>(i * 40503U + 12345U));
  for (std::uint16_t& one : out) one = cleaned(one);
  return out;
}

void keep(Arguments& a, const DeviceInfo&) {
  const std::uint16_t* const in = a[0].as<std::uint16_t>();
  std::uint16_t* const out = a[1].as<std::uint16_t>();
  const std::uint16_t table[] = {bitsOf(1), bitsOf(-0.5), bitsOf(3.140625), bitsOf(0x1p-130)};
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint16_t x = in[i], y = in[n - 1 - i];
    out[i] = in[i / group * group + group - 1 - i % group];
    const bool isLarger = bfloat.value(x) > bfloat.value(y);
    out[n + i] = isLarger || i % 9 > 4 ? x : y;
    out[2 * n + i] = in[(i + x % 4) % n];
    const std::uint16_t four[] = {in[(i + 3) % n], x, table[i % 4], y};
    for (std::size_t k = 0; k < 4; ++k) out[3 * n + 4 * i + k] = four[k];
  }
}

void compute(Arguments& a, const DeviceInfo&) {
  const std::uint16_t* const in = a[0].as<std::uint16_t>();
  std::uint16_t* const out = a[4].as<std::uint16_t>();
  for (std::size_t i = 0; i < n; ++i) {
    // A float's sum, difference, product and quotient of such numbers has enough digits to be rounded again.
    const auto x = static_cast<float>(bfloat.value(in[i])), y = static_cast<float>(bfloat.value(in[(i * 7 + 3) % n]));
    out[i] = bitsOf(x + y);
    out[n + i] = bitsOf(x - y);
    out[2 * n + i] = bitsOf(x * y);
    out[3 * n + i] = bitsOf(x / y);
    out[4 * n + i] = cleaned(in[i] ^ 0x8000U);
    out[5 * n + i] = bitsOf(a[1].as<float>()[i]);
    out[6 * n + i] = bitsOf(a[2].as<std::int32_t>()[i]);
    out[7 * n + i] = bitsOf(a[2].as<std::uint32_t>()[i]);
    // A long double holds every integer of 64 bits; so do two doubles.
    const std::int64_t whole = a[3].as<std::int64_t>()[i], low = whole % 1024;
    out[8 * n + i] = bitsOf(sumToOdd(static_cast<double>(whole - low), static_cast<double>(low)));
    out[9 * n + i] = static_cast<std::uint16_t>((x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3);
  }
}

std::vector<float> floats() {
  std::vector<float> out;
  for (const std::uint16_t bits : inputs()) {
    const auto x = static_cast<float>(bfloat.value(bits));
    // Ties, and what is just beside them.
    const std::uint32_t word = std::uint32_t{bits} << 16 | (out.size() % 3 == 0   ? 0x8000U
                                                            : out.size() % 3 == 1 ? 0x8001U
                                                                                  : 0x7fffU);
    out.push_back(std::isfinite(x) ? std::bit_cast<float>(word) : x);
  }
  return out;
}
std::vector<std::int32_t> integers() {
  std::vector<std::int32_t> out = {0,        1,        -1,       257,      258,       259,
                                   16777217, 16842752, 16842753, 25296896, INT32_MAX, INT32_MIN};
  for (std::uint32_t i = 1; out.size() < n; ++i) out.push_back(static_cast<std::int32_t>(i * 2654435761U) >> (i % 30));
  return out;
}
std::vector<std::int64_t> longs() {
  std::vector<std::int64_t> out = {0,         -1,       257, 0x1010000000000001, 0x1010000000000000, 0x1030000000000000,
                                   INT64_MAX, INT64_MIN};
  for (std::uint64_t i = 1; out.size() < n; ++i)
    out.push_back(static_cast<std::int64_t>(i * 0x9e3779b97f4a7c15U) >> (i % 60));
  return out;
}

}  // namespace

std::vector<Case> cases_cuda_language_bfloats() {
  return {{.name = "keep",
           .kernel = "keep",
           .launch = {.grid = {blocks}, .group = {group}},
           .arguments = {array(inputs()), zeros<std::uint16_t>(7 * n), value(static_cast<int>(n))},
           .reference = keep},
          {.name = "compute",
           .kernel = "compute",
           .launch = {.grid = {blocks}, .group = {group}},
           .arguments = {array(inputs()), array(floats()), array(integers()), array(longs()),
                         zeros<std::uint16_t>(10 * n), value(static_cast<int>(n))},
           .reference = compute}};
}

}  // namespace lathe::conformance
