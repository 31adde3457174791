// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of libraries.hip.
#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int blocks = 2, threads = 64;

void mathematics(Arguments& a, const DeviceInfo&) {
  for (int i = 0; i < blocks * threads; ++i) {
    const float x = a[0].as<float>()[i];
    int exponent = 0;
    const float part = std::frexp(x, &exponent);
    // The next float above, as what is added is less than half of the last digit.
    const float above = std::nextafter(x, INFINITY);
    const float row[] = {std::floor(x), part, static_cast<float>(exponent), x * 2 + 1, above, x};
    std::copy_n(row, 6, a[1].as<float>() + 6 * i);
  }
}

void words(Arguments& a, const DeviceInfo& device) {
  const std::uint32_t* const in = a[0].as<std::uint32_t>();
  const int wave = static_cast<int>(device.subgroupSize);
  for (int i = 0; i < blocks * threads; ++i) {
    const std::uint32_t x = in[i];
    const int first = i / wave * wave;
    const bool any = std::any_of(in + first, in + first + wave, [](std::uint32_t y) { return y % 64 == 5; });
    const auto index = static_cast<std::uint32_t>(i);
    const std::uint32_t row[] = {static_cast<std::uint32_t>(std::countl_zero(x | 1)),
                                 static_cast<std::uint32_t>(std::popcount(x)),
                                 static_cast<std::uint32_t>(std::uint64_t{x} * 0x9e3779b9u >> 32),
                                 std::max(x, 12345u) - std::min(x, 12345u) + index,
                                 *std::max_element(in + first, in + first + wave),
                                 static_cast<std::uint32_t>(wave * (2 * first + wave - 1) / 2),
                                 blocks * threads + 1,
                                 any};
    std::copy_n(row, 8, a[1].as<std::uint32_t>() + 8 * i);
  }
}

void assembly(Arguments& a, const DeviceInfo&) {
  for (int i = 0; i < blocks * threads; ++i) {
    const std::uint32_t x = a[0].as<std::uint32_t>()[i];
    a[1].as<std::uint32_t>()[2 * i] = std::rotr(x, i % 31 + 1);
    a[1].as<std::uint32_t>()[2 * i + 1] = x ^ *a[2].as<std::uint32_t>();
  }
}

void components(Arguments& a, const DeviceInfo&) {
  for (std::uint32_t i = 0; i < threads; ++i) {
    const std::uint32_t* const x = a[0].as<std::uint32_t>() + 4 * i;
    std::uint32_t* const out = a[1].as<std::uint32_t>() + 4 * i;
    for (std::uint32_t k = 0; k < 4; ++k) out[k] = k == i % 4 ? i : x[k] * 3 + x[0] + x[1] + x[2] + x[3];
    a[2].as<std::uint32_t>()[3 * i + i % 3] += out[1];
  }
}

}  // namespace

std::vector<Case> cases_hip_libraries() {
  constexpr int all = blocks * threads;
  const LaunchOptions launch{.grid = {blocks}, .group = {threads}};
  return {{.name = "mathematics",
           .kernel = "mathematics",
           .launch = launch,
           .arguments = {counting<float>(all, 0.5f, 1), zeros<float>(6 * all)},
           .reference = mathematics},
          {.name = "words",
           .kernel = "words",
           .launch = launch,
           .arguments = {array(scrambled<std::uint32_t>(all, 5)), zeros<std::uint32_t>(8 * all)},
           .reference = words},
          {.name = "assembly",
           .kernel = "assembly",
           .launch = launch,
           .arguments = {array(scrambled<std::uint32_t>(all, 6)), zeros<std::uint32_t>(2 * all),
                         value(std::uint32_t{0x5a5a1234})},
           .reference = assembly},
          {.name = "components",
           .kernel = "components",
           .launch = {.grid = {1}, .group = {threads}},
           .arguments = {array(scrambled<std::uint32_t>(4 * threads, 7)), zeros<std::uint32_t>(4 * threads),
                         counting<std::uint32_t>(3 * threads, 1, 1)},
           .reference = components}};
}

}  // namespace lathe::conformance
