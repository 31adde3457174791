// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of signs_of_zeros.cu: IEEE 754-2019, 9.2, of sinPi and cosPi, with which libdevice agrees; of saturation
// CUDA's header, by which all that is not above 0 becomes +0; of NaN the PTX ISA ("cvt").
#include <bit>
#include <cmath>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

const std::vector<double> numbers = {0.0, -0.0, 0.5,   -0.5, 1,    -1,   1.5,  -1.5,      2,          -2,     2.5,
                                     3,   -3,   -3.5,  4,    -4,   0.25, 1.75, 1e16,      -1e16,      1e30,   -1e30,
                                     -7,  8.75, -0.75, 1025, 1.25, -9.5, 1e8,  8388607.5, -4194303.0, 1000001};
const std::vector<double> lows = {-5, -14.5, -15, -16, -38.4, -38.5, -39, -40, -1e10, -INFINITY, INFINITY, 0};
const std::vector<float> ranges = {-0.0F, 0.0F, -1, 1, 0.5F, -0.25F, 2, -3, INFINITY, -INFINITY, NAN, 0x1p-126F};
const std::vector<float> odd = {NAN, -NAN, 300.25F, -7.5F, std::bit_cast<float>(0x7f800001U), 300.25F};

/// Of what a number whose sign and size are known belongs to.
int classOf(double x) {
  return (std::signbit(x) ? -1 : 1) * (x == 0 ? 1 : 2);
}
void ofPi(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = numbers[i], turn = std::fmod(std::fabs(x), 2.0);
    const double sine = turn == 0 || turn == 1 ? std::copysign(0, x) : std::copysign(1, x) * (turn < 1 ? 1 : -1);
    const double cosine = turn == 0.5 || turn == 1.5 ? 0 : turn < 0.5 || turn > 1.5 ? 1 : -1;
    for (std::size_t k = 0; k < 8; ++k) a[1].as<int>()[8 * i + k] = classOf(k % 2 ? cosine : sine);
  }
}
void normal(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < lows.size(); ++i) {
    // Below these, half of the least subnormal number is not reached.
    a[1].as<int>()[2 * i] = lows[i] < -38.49 ? 1 : 2;
    a[1].as<int>()[2 * i + 1] = lows[i] < -14.2 ? 1 : 2;
  }
}

void saturated(Arguments& a, const DeviceInfo&) {
  const auto of = [](float x) { return x > 0 ? std::fmin(x, 1.0F) : 0.0F; };
  const auto* const in = a[0].as<float>();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    a[1].as<float>()[i] = of(in[i]);
    a[1].as<float>()[ranges.size() + i] = 1 / of(-in[i]);
  }
}

/// What is no NaN is 300.25 or -7.5, of which a byte has the lower bits of 300, and 0.
void notNumbers(Arguments& a, const DeviceInfo&) {
  const auto* const in = a[0].as<float>();
  for (std::size_t i = 0; i < odd.size(); ++i) {
    const bool isNumber = in[i] == in[i], isPositive = in[i] > 0;
    const int values[] = {isPositive ? 300 : 0, isPositive ? 300 : -8, isPositive ? 44 : 0, isPositive ? 300 : -7};
    for (std::size_t k = 0; k < 4; ++k) a[1].as<int>()[4 * i + k] = isNumber ? values[k] : 0;
  }
}

}  // namespace

std::vector<Case> cases_cuda_signs_of_zeros() {
  return {{.name = "of_pi",
           .kernel = "ofPi",
           .launch = {.group = {static_cast<std::uint32_t>(numbers.size())}},
           .arguments = {array(numbers), zeros<int>(8 * numbers.size())},
           .reference = ofPi},
          {.name = "normal",
           .kernel = "normal",
           .launch = {.group = {static_cast<std::uint32_t>(lows.size())}},
           .arguments = {array(lows), zeros<int>(2 * lows.size())},
           .reference = normal},
          {.name = "saturated",
           .kernel = "saturated",
           .launch = {.group = {static_cast<std::uint32_t>(ranges.size())}},
           .arguments = {array(ranges), zeros<float>(2 * ranges.size())},
           .reference = saturated},
          {.name = "not_numbers",
           .kernel = "notNumbers",
           .launch = {.group = {static_cast<std::uint32_t>(odd.size())}},
           .arguments = {array(odd), zeros<int>(4 * odd.size())},
           .reference = notNumbers}};
}

}  // namespace lathe::conformance
