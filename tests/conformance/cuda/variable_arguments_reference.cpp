// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int threads = 40;

void sums(Arguments& a, const DeviceInfo&) {
  const float* const floats = a[1].as<float>();
  for (int i = 0; i < threads; ++i) {
    const int n = a[0].as<int>()[i];
    const auto narrow = static_cast<signed char>(n);
    double* const mine = a[2].as<double>() + 4 * i;
    mine[0] = 101.0 * n;
    mine[1] = 101.0 * narrow + floats[i] + static_cast<double>(n * 5000000000LL) + floats[i] + 7;
    mine[2] = n > 0 ? 101.0 * n - 1 + 0.5 : 303 + static_cast<double>(floats[0]);
    mine[3] = 3 + narrow;
  }
}

}  // namespace

std::vector<Case> cases_cuda_variable_arguments() {
  return {
      {.name = "sums",
       .kernel = "sums",
       .launch = {.group = {threads}},
       .arguments = {counting<int>(threads, 17, -100), counting<float>(threads, 0.25F, 1), zeros<double>(4 * threads)},
       .reference = sums}};
}

}  // namespace lathe::conformance
