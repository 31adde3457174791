// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of wide_atomics.cu.
#include <bit>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 64;

struct Wide {
  std::int64_t a, b;
};

void wide(Arguments& a, const DeviceInfo&) {
  Wide* const cells = a[0].as<Wide>();
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(n); ++i) {
    a[1].as<Wide>()[i] = cells[2 + i];
    cells[2 + i] = i == 3 ? Wide{7, 8} : Wide{i, -i};
    cells[0].a += 1;
    cells[0].b += i;
    cells[1].a -= i;
    cells[1].b ^= i;
    auto* const number = a[2].as<std::uint64_t>() + 2 * i;
    if (number[0] == 0 && number[1] == static_cast<std::uint64_t>(i % 2))
      number[1] = static_cast<std::uint64_t>(i) << 6;
  }
}

/// Of a whole number that is exact in half.
std::uint16_t half(unsigned number) {
  if (number == 0) return 0;
  const int exponent = std::bit_width(number) - 1;
  return static_cast<std::uint16_t>((exponent + 15) << 10 | ((number << (10 - exponent)) & 0x3ff));
}
std::uint16_t bfloat(unsigned number) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(number)) >> 16);
}

/// One cell for all, then what the threads found in their own and those.
void small(Arguments& a, const DeviceInfo&) {
  for (std::size_t k = 0; k < 4; ++k) {
    const auto encoded = k < 2 ? half : bfloat;
    const bool isPair = k % 2 == 1;
    auto* const out = a[k].as<std::uint16_t>();
    const unsigned step = isPair ? 2 : 1;
    out[0] = encoded(k < 2 ? n : 2 * n);
    if (isPair) out[1] = encoded(k < 2 ? 2 * n : n);
    for (unsigned i = 0; i < n; ++i) {
      auto* const own = out + step * (65 + i);
      auto* const old = out + step * (1 + i);
      old[0] = own[0];
      if (!isPair) {
        own[0] = encoded(3);
        continue;
      }
      old[1] = own[1];
      own[0] = encoded(k < 2 ? 1 : i);
      own[1] = encoded(k < 2 ? i : 1);
    }
  }
}

}  // namespace

std::vector<Case> cases_cuda_wide_atomics() {
  std::vector<std::uint64_t> numbers(2 * n);
  for (std::size_t i = 0; i < n; i += 3) numbers[2 * i + 1] = i % 2;
  return {{.name = "wide",
           .kernel = "wide",
           .launch = {.grid = {2}, .group = {32}},
           .arguments = {array(scrambled<std::uint64_t>(2 * (n + 2), 36)), zeros<std::uint64_t>(2 * n), array(numbers)},
           .reference = wide},
          {.name = "small",
           .kernel = "small",
           .launch = {.grid = {1}, .group = {64}},
           .arguments = {zeros<std::uint16_t>(129), zeros<std::uint32_t>(129), zeros<std::uint16_t>(129),
                         zeros<std::uint32_t>(129)},
           .reference = small}};
}

}  // namespace lathe::conformance
