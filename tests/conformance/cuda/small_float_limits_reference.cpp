// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of small_float_limits.cu: the constants that nvcc 13 compiles the same source to with its own libcu++.
#include <array>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::array<std::array<int, 20>, 8> numbers = {{
    {499,   11,     3,      5,      2,      -13,    -4,     16,     4,   1,
     0x400, 0x7bff, 0xfbff, 0x1400, 0x3800, 0x7c00, 0x7e00, 0x7d00, 0x1, 11},  // half
    {499,  8,      2,      4,      2,      -125,   -37,    128,    38,  1,
     0x80, 0x7f7f, 0xff7f, 0x3c00, 0x3f00, 0x7f80, 0x7fc0, 0x7fa0, 0x1, 8},                       // bfloat16
    {291, 4, 0, 3, 2, -6, -2, 8, 2, 1, 0x8, 0x7e, 0xfe, 0x20, 0x30, 0, 0x7f, 0, 0x1, 4},          // E4M3
    {371, 3, 0, 2, 2, -15, -5, 15, 4, 1, 0x4, 0x7b, 0xfb, 0x34, 0x38, 0x7c, 0x7e, 0x7d, 0x1, 3},  // E5M2
    {289, 1, 0, 2, 2, -127, -39, 127, 38, 0, 0, 0xfe, 0, 0x7f, 0x7f, 0, 0xff, 0, 0, 1},           // E8M0
    {259, 4, 0, 3, 2, 0, 0, 2, 0, 1, 0x8, 0x1f, 0x3f, 0x1, 0x4, 0, 0, 0, 0x1, 4},                 // E2M3
    {259, 3, 0, 2, 2, -2, -1, 4, 1, 1, 0x4, 0x1f, 0x3f, 0x4, 0x8, 0, 0, 0, 0x1, 3},               // E3M2
    {259, 2, 0, 2, 2, 0, 0, 2, 0, 1, 0x2, 0x7, 0xf, 0x1, 0x1, 0, 0, 0, 0x1, 2},                   // E2M1
}};

}  // namespace

std::vector<Case> cases_cuda_small_float_limits() {
  return {{.name = "limits",
           .kernel = "limits",
           .launch = {.group = {1}},
           .arguments = {zeros<int>(numbers.size() * 20)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             for (std::size_t i = 0; i < numbers.size(); ++i)
               std::copy(numbers[i].begin(), numbers[i].end(), a[0].as<int>() + 20 * i);
           }}};
}

}  // namespace lathe::conformance
