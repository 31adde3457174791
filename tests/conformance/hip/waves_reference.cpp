// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of waves.hip, by the subgroup that the device has.
#include <bit>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int blocks = 3, threads = 128;

void waveSums(Arguments& a, const DeviceInfo& device) {
  const int* const in = a[0].as<int>();
  int* const out = a[1].as<int>();
  const int wave = static_cast<int>(device.subgroupSize);
  for (int first = 0; first < blocks * threads; first += wave) {
    int sum = 0;
    for (int lane = 0; lane < wave; ++lane) out[2 * (first + lane) + 1] = sum += in[first + lane];
    for (int lane = 0; lane < wave; ++lane) out[2 * (first + lane)] = sum;
  }
  *a[2].as<int>() = wave;
}

void ballots(Arguments& a, const DeviceInfo& device) {
  const int* const in = a[0].as<int>();
  const int wave = static_cast<int>(device.subgroupSize);
  const std::uint64_t all = wave == 64 ? ~std::uint64_t{} : (std::uint64_t{1} << wave) - 1;
  for (int first = 0; first < blocks * threads; first += wave) {
    std::uint64_t ballot = 0;
    for (int lane = 0; lane < wave; ++lane) ballot |= static_cast<std::uint64_t>(in[first + lane] > 0) << lane;
    for (int lane = 0; lane < wave; ++lane) {
      std::uint64_t same = 0;
      for (int k = 0; k < wave; ++k)
        same |= static_cast<std::uint64_t>((in[first + k] & 3) == (in[first + lane] & 3)) << k;
      const std::uint64_t below = ballot & ((std::uint64_t{1} << lane) - 1);
      const std::uint64_t row[] = {ballot,      static_cast<std::uint64_t>(std::popcount(below)),
                                   ballot != 0, ballot == all,
                                   same,        in[first + lane] > 0 ? ballot : 0};
      std::copy_n(row, 6, a[1].as<std::uint64_t>() + 6 * (first + lane));
    }
  }
}

}  // namespace

std::vector<Case> cases_hip_waves() {
  const LaunchOptions launch{.grid = {blocks}, .group = {threads}};
  const std::vector<int> numbers = scrambled<int>(blocks * threads, 5);
  std::vector<int> small;
  for (const int number : numbers) small.push_back(number % 1000);
  return {{.name = "sums",
           .kernel = "waveSums",
           .launch = launch,
           .arguments = {array(small), zeros<int>(2 * blocks * threads), zeros<int>(1)},
           .reference = waveSums},
          {.name = "ballots",
           .kernel = "ballots",
           .launch = launch,
           .arguments = {array(numbers), zeros<std::uint64_t>(6 * blocks * threads)},
           .reference = ballots},
          {.name = "segments",
           .kernel = "segments",
           .launch = launch,
           .arguments = {counting<double>(blocks * threads, 0.5, -3), zeros<double>(2 * blocks * threads)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 const double* const in = a[0].as<double>();
                 for (int i = 0; i < blocks * threads; ++i) {
                   a[1].as<double>()[2 * i] = in[i] + in[i ^ 1];
                   a[1].as<double>()[2 * i + 1] = in[i / 8 * 8 + 3];
                 }
               }},
          {.name = "tiles",
           .kernel = "tiles",
           .launch = launch,
           .arguments = {array(small), zeros<int>(blocks * threads)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             const int* const in = a[0].as<int>();
             for (int i = 0; i < blocks * threads; ++i) {
               int sum = 0;
               for (int k = 0; k < 8; ++k) sum += in[i / 8 * 8 + k] + ((in[i / 8 * 8 + k] > 0) << k);
               a[1].as<int>()[i] = sum;
             }
           }}};
}

}  // namespace lathe::conformance
