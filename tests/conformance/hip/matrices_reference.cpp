// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of matrices.hip: whole numbers so small that halves hold them and every order of sums is exact.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

Argument smallNumbers(std::uint64_t seed) {
  std::vector<float> out;
  for (const unsigned x : scrambled<unsigned>(256, seed)) out.push_back(static_cast<float>(x % 31) - 15);
  return array(out);
}

}  // namespace

std::vector<Case> cases_hip_matrices() {
  return {{.name = "product",
           .kernel = "product",
           .launch = {.group = {64}},
           .arguments = {smallNumbers(51), smallNumbers(52), smallNumbers(53)},
           .reference = [](Arguments& arguments, const DeviceInfo&) {
             const auto* const a = arguments[0].as<float>();
             const auto* const b = arguments[1].as<float>();
             auto* const c = arguments[2].as<float>();
             for (int row = 0; row < 16; ++row) {
               for (int column = 0; column < 16; ++column) {
                 for (int k = 0; k < 16; ++k) c[row * 16 + column] += a[row * 16 + k] * b[k * 16 + column];
               }
             }
           }}};
}

}  // namespace lathe::conformance
