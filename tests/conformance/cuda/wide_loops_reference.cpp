// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of wide_loops.cu: the host compiler, and the elements without turning them.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 64;
__extension__ using U128 = unsigned __int128;
__extension__ using I128 = __int128;

void compared(Arguments& a, const DeviceInfo&) {
  const auto* const in = a[0].as<std::uint32_t>();
  for (std::size_t i = 0; i < n; ++i) {
    U128 x = in[i];
    for (int k = 0; k < 5; ++k) x = x * in[i] + 1;
    I128 y = in[i] & 1 ? static_cast<I128>(x) - in[0] : -static_cast<I128>(x >> 3);
    std::uint32_t steps = 0;
    for (; y > 1 && steps < 200; ++steps) y = y & 1 ? y - 1 : y / 2;
    const unsigned bits =
        (x != 0 ? 1U : 0U) + (x < in[0] ? 2U : 0U) + (x == 7 ? 4U : 0U) + (y < 0 ? 8U : 0U) + (y >= in[1] ? 16U : 0U);
    a[2].as<std::uint32_t>()[i] = bits + 32 * steps + 16384 * static_cast<std::uint32_t>(x % 1000003U);
  }
}

void digits(Arguments& a, const DeviceInfo&) {
  const auto* const in = a[0].as<std::uint64_t>();
  for (std::size_t i = 0; i < n; ++i) {
    U128 left = static_cast<U128>(in[i]) << (i % 64) | in[63 - i];
    std::uint32_t count = 0, sum = 0;
    for (; count == 0 || left != 0; left /= 10) sum += static_cast<std::uint32_t>(left % 10) * ++count;
    a[2].as<std::uint32_t>()[i] = sum;
  }
}

void turned(Arguments& a, const DeviceInfo&) {
  const auto* const in = a[0].as<std::uint32_t>();
  for (std::size_t t = 0; t < n; ++t) {
    const auto at = [&](std::size_t i) { return in[(i + (in[t] & 7)) % 8] * static_cast<std::uint32_t>(t); };
    for (std::size_t i = 0; i < 6; ++i)
      a[1].as<std::uint32_t>()[t * 6 + i] = at(7 - i - (in[t] >> 3 & 1)) + 3 * at(5 - i + (in[t] >> 5 & 1));
  }
}

}  // namespace

std::vector<Case> cases_cuda_wide_loops() {
  std::vector<std::uint32_t> words, small;
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < n; ++i) {
    words.push_back(static_cast<std::uint32_t>(i) * 2654435761U);
    small.push_back(static_cast<std::uint32_t>(i % 7 == 0 ? i / 7 : i * i * 31));
    numbers.push_back(i % 5 ? i * 0x9e3779b97f4a7c15U : i);
  }
  const LaunchOptions launch = {.grid = {1}, .group = {64}};
  return {{.name = "compared",
           .kernel = "compared",
           .launch = launch,
           .arguments = {array(small), value(5), zeros<std::uint32_t>(n)},
           .reference = compared},
          {.name = "digits",
           .kernel = "digits",
           .launch = launch,
           .arguments = {array(numbers), value(10U), zeros<std::uint32_t>(n)},
           .reference = digits},
          {.name = "turned",
           .kernel = "turned",
           .launch = launch,
           .arguments = {array(words), zeros<std::uint32_t>(6 * n)},
           .reference = turned}};
}

}  // namespace lathe::conformance
