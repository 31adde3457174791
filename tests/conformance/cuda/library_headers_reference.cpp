// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of library_headers.cu, by what the names mean: integer arithmetic of more bits, and real numbers.
#include <array>
#include <bit>
#include <cmath>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 32;

std::vector<std::uint32_t> inputs() {
  std::vector<std::uint32_t> out = {0, 1, 2, 999, 1000, 0xffffffff, 0x80000000, 0x7fffffff, 127, 63};
  for (std::uint32_t x = 12345; out.size() < n; x = x * 1664525 + 1013904223) out.push_back(x);
  return out;
}

void wholeNumbers(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t x = a[0].as<std::uint32_t>()[i], small = x % 1000 + 1;
    const std::uint32_t up = x / 2 % small == 0 ? x / 2 : x / 2 + small - x / 2 % small;
    std::uint32_t root = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(x)));
    const std::uint32_t digits = static_cast<std::uint32_t>(std::to_string(x | 1).size()) - 1;
    const std::uint32_t upperDigits = small == 1 ? 0 : static_cast<std::uint32_t>(std::to_string(small - 1).size());
    const auto log2 = static_cast<std::uint32_t>(std::bit_width(small)) - 1;
    const std::uint32_t power = small * small * small * small * small;
    // x 2^31 (-7 small) / 2^64, rounded down, is -(7 small x) / 2^33.
    const std::uint64_t product = std::uint64_t{7} * small * x;
    const auto high =
        static_cast<std::uint32_t>(-static_cast<std::int64_t>((product + (std::uint64_t{1} << 33) - 1) >> 33));
    const std::array<std::uint32_t, 20> row = {x / small + (x % small != 0),
                                               up,
                                               x - x % small,
                                               log2,
                                               log2 + !std::has_single_bit(small),
                                               digits,
                                               upperDigits,
                                               root,
                                               std::has_single_bit(small),
                                               std::bit_ceil(small),
                                               std::bit_floor(small),
                                               power,
                                               static_cast<std::uint32_t>(std::uint64_t{x} * ~x >> 32),
                                               high,
                                               x >> 31 ? 0 - x : x,
                                               0 - x,
                                               x / small,
                                               x % small,
                                               5,
                                               0};
    std::copy(row.begin(), row.end(), a[1].as<std::uint32_t>() + 20 * i);
  }
}
std::uint32_t reversed(std::uint32_t x, int bits) {
  std::uint32_t out = 0;
  for (int k = 0; k < bits; ++k) out |= (x >> k & 1) << (bits - 1 - k);
  return out;
}
void bits(Arguments& a, const DeviceInfo&) {
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t x = a[0].as<std::uint32_t>()[i], start = i % 20, width = i % 13;
    const std::uint32_t ones = (1U << width) - 1, mask = ones << start;
    const std::array<std::uint32_t, 6> row = {reversed(x, 32),
                                              ~mask,
                                              x >> start & ones,
                                              (x & ~mask) | (~x << start & mask),
                                              static_cast<std::uint32_t>(std::popcount(x)),
                                              reversed(x & 0xff, 8)};
    std::copy(row.begin(), row.end(), a[1].as<std::uint32_t>() + std::size_t{6} * i);
  }
}
void objects(Arguments& a, const DeviceInfo&) {
  const std::uint32_t* const in = a[0].as<std::uint32_t>();
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::array<std::uint32_t, 12> row = {i + 5,
                                               (i + 5) * (i + 5),
                                               i,
                                               4,
                                               in[3 * (i % 8)],
                                               in[5 + 2 * (i % 8)],
                                               i + 1,
                                               in[i],
                                               7,
                                               in[i % 2 + 2 * (i % 8)] + 3 * in[8 * (i % 4) + i % 8],
                                               12,
                                               i + 1100};
    std::copy(row.begin(), row.end(), a[1].as<std::uint32_t>() + std::size_t{12} * i);
  }
}

}  // namespace

std::vector<Case> cases_cuda_library_headers() {
  const auto made = [](const char* name, const char* kernel, std::size_t count, auto reference) {
    return Case{.name = name,
                .kernel = kernel,
                .launch = {.group = {n}},
                .arguments = {array(inputs()), zeros<std::uint32_t>(count * n)},
                .reference = reference};
  };
  return {made("whole_numbers", "wholeNumbers", 20, wholeNumbers), made("bits", "bits", 6, bits),
          made("objects", "objects", 12, objects)};
}

}  // namespace lathe::conformance
