// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of library_names.cu. Half is written as bits: 0x3c00 is 1, 0x7e00 no number.
#include <algorithm>
#include <limits>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr unsigned n = 4;

void standard(Arguments& a, const DeviceInfo&) {
  const float expected[] = {-3, 4, 0.5F, 8, std::numeric_limits<float>::epsilon(), 2, 6, 51};
  std::copy_n(expected, 8, a[0].as<float>());
}

void small(Arguments& a, const DeviceInfo&) {
  // Numbers of e4m3 stay; 1.06 is nearest to 1, 1000 beyond the largest.
  constexpr float kept[] = {1.125F, -2, 1, 448};
  constexpr std::uint32_t e5m2[] = {0x3c, 0x40, 0x42, 0x44};
  for (unsigned i = 0; i < n; ++i) {
    std::copy_n(kept, 4, a[0].as<float>() + 4 * i);
    std::uint16_t* const pairs = a[1].as<std::uint16_t>() + 4 * i;
    std::uint32_t* const masks = a[2].as<std::uint32_t>() + 4 * i;
    // (2, 1) and (1, no number): the second halves cannot be compared, which hleu takes for less.
    masks[0] = 0xffffU ^ 0xffffffffU << 1;
    masks[1] = e5m2[i] | 0xba00U;
    masks[2] = 2;
    masks[3] = 0xffffU >> 1;
    constexpr std::uint16_t real[] = {0xc500, 0xc400, 0xc200, 0xc000};  // -5 and up
    pairs[0] = real[i];
    pairs[1] = 0x4980;  // 11
    pairs[2] = 0x3400;  // 0.25
    pairs[3] = 0;
  }
}

}  // namespace

std::vector<Case> cases_cuda_library_names() {
  std::vector<float> four;
  std::vector<std::uint16_t> pairs;
  for (unsigned i = 0; i < n; ++i) {
    four.insert(four.end(), {1.125F, -2, 1.06F, 1000});
    pairs.insert(pairs.end(), {0x4000, 0x3c00, 0x3c00, 0x7e00});
  }
  return {{.name = "standard",
           .kernel = "standard",
           .launch = {.grid = {1}, .group = {1}},
           .arguments = {zeros<float>(8)},
           .reference = standard},
          {.name = "small",
           .kernel = "small",
           .launch = {.grid = {1}, .group = {n}},
           .arguments = {array(four), array(pairs), zeros<std::uint32_t>(4 * n)},
           .reference = small}};
}

}  // namespace lathe::conformance
