// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of warp_reduce.cu, for subgroups of the device's size. Sums are of small integers: exact in any order.
#include <algorithm>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int n = 256;

void sums(Arguments& a, const DeviceInfo& device) {
  const int warp = std::min(32, static_cast<int>(device.subgroupSize));
  for (int w = 0; w < n / warp; ++w) {
    const float* const in = a[0].as<float>() + w * warp;
    float sum = 0;
    for (int i = 0; i < warp; ++i) sum += in[i];
    a[1].as<float>()[w] = sum;
    a[2].as<double>()[w] = static_cast<double>(sum);
    a[3].as<int>()[w] = static_cast<int>(*std::max_element(in, in + warp));
  }
}

void scan(Arguments& a, const DeviceInfo& device) {
  const int warp = std::min(32, static_cast<int>(device.subgroupSize));
  for (int i = 0; i < n; ++i) {
    const int* const in = a[0].as<int>();
    a[1].as<int>()[i] = in[i] + (i % warp ? a[1].as<int>()[i - 1] : 0);
    a[2].as<long long>()[i] = static_cast<long long>(in[i / 8 * 8]) * (1ll << 33);
  }
}

std::vector<float> values() {
  std::vector<float> out;
  for (const int x : scrambled<int>(n, 17)) out.push_back(static_cast<float>(x % 1000));
  return out;
}

}  // namespace

std::vector<Case> cases_cuda_warp_reduce() {
  return {{.name = "sums_and_maxima",
           .kernel = "warpSums",
           .launch = {.grid = {2}, .group = {128}},
           .arguments = {array(values()), zeros<float>(n / 32), zeros<double>(n / 32), zeros<int>(n / 32)},
           .reference = sums},
          {.name = "scan",
           .kernel = "warpScan",
           .launch = {.grid = {2}, .group = {128}},
           .arguments = {counting<int>(n, 7, -300), zeros<int>(n), zeros<long long>(n)},
           .reference = scan}};
}

}  // namespace lathe::conformance
