// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of atomics.hip. The floating-point sums are of whole numbers, so their order does not matter.
#include <algorithm>
#include <numeric>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

std::vector<Case> cases_hip_atomics() {
  constexpr int blocks = 4, threads = 64, all = blocks * threads;
  std::vector<int> numbers;
  for (const int number : scrambled<int>(all, 6)) numbers.push_back(number % 5000);
  return {{.name = "scoped",
           .kernel = "scoped",
           .launch = {.grid = {blocks}, .group = {threads}, .dynamicSharedBytes = 8},
           .arguments = {array(numbers), zeros<int>(2), zeros<std::uint64_t>(2)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 const int* const in = a[0].as<int>();
                 a[1].as<int>()[0] = std::accumulate(in, in + all, 0);
                 a[1].as<int>()[1] = std::min(0, *std::min_element(in, in + all));
                 std::uint64_t* const wide = a[2].as<std::uint64_t>();
                 wide[0] = ~std::uint64_t{};
                 wide[1] = 0;
                 for (int i = 0; i < all; ++i) wide[1] ^= static_cast<std::uint64_t>(in[i]);
               }},
          {.name = "floats",
           .kernel = "floats",
           .launch = {.grid = {blocks}, .group = {threads}},
           .arguments = {counting<float>(all, 1, -100), zeros<float>(4), zeros<double>(2)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             const float* const in = a[0].as<float>();
             const float sum = std::accumulate(in, in + all, 0.0f), most = *std::max_element(in, in + all);
             const float out[] = {sum, most, *std::min_element(in, in + all), -sum};
             std::copy_n(out, 4, a[1].as<float>());
             a[2].as<double>()[0] = sum;
             a[2].as<double>()[1] = most;
           }}};
}

}  // namespace lathe::conformance
