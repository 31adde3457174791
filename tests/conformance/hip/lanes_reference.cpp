// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of lanes.hip: bit fields and dot products as AMD's instruction set reference defines them.
#include <algorithm>
#include <limits>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int blocks = 2, threads = 64;

void lanes(Arguments& a, const DeviceInfo& device) {
  const int* const in = a[0].as<int>();
  const int wave = static_cast<int>(device.subgroupSize);
  for (int i = 0; i < blocks * threads; ++i) {
    const int first = i / wave * wave, lane = i - first;
    const int row[] = {lane, in[first], in[first + 5], in[first + (lane ^ 3)], i, blocks * threads, 0};
    std::copy_n(row, 7, a[1].as<int>() + 7 * i);
  }
}

void fields(Arguments& a, const DeviceInfo&) {
  const std::uint32_t* const in = a[0].as<std::uint32_t>();
  for (int i = 0; i < blocks * threads; ++i) {
    const std::uint32_t x = in[2 * i], y = in[2 * i + 1];
    const int offset = i % 24, width = i % 8;
    const std::uint64_t both = static_cast<std::uint64_t>(y) << 32 | x;
    const std::uint32_t mask = (1u << width) - 1, field = x >> offset & mask;
    const bool negative = width > 0 && (field >> (width - 1)) != 0;
    std::uint32_t dot = 7;
    std::int64_t products = 0, mixed = 9;
    for (int k = 0; k < 32; k += 8) {
      dot += (x >> k & 255) * (y >> k & 255);
      products += static_cast<std::int8_t>(x >> k) * static_cast<std::int8_t>(y >> k);
      mixed += static_cast<std::int8_t>(x >> k) * static_cast<std::int64_t>(y >> k & 255);
    }
    const std::int64_t most = std::numeric_limits<std::int32_t>::max(),
                       least = std::numeric_limits<std::int32_t>::min();
    const std::uint32_t row[] = {field,
                                 (x & ~(mask << offset)) | (y & mask) << offset,
                                 static_cast<std::uint32_t>(both >> (offset + 20)) & mask,
                                 field,
                                 negative ? field | ~mask : field,
                                 static_cast<std::uint32_t>(both >> offset),
                                 dot,
                                 static_cast<std::uint32_t>(std::clamp(products + 0x7ffffff0, least, most)),
                                 static_cast<std::uint32_t>(mixed)};
    std::copy_n(row, 9, a[1].as<std::uint32_t>() + 9 * i);
  }
}

}  // namespace

std::vector<Case> cases_hip_lanes() {
  const LaunchOptions launch{.grid = {blocks}, .group = {threads}};
  return {{.name = "lanes",
           .kernel = "lanes",
           .launch = launch,
           .arguments = {array(scrambled<int>(blocks * threads, 3)), zeros<int>(7 * blocks * threads)},
           .reference = lanes},
          {.name = "fields",
           .kernel = "fields",
           .launch = launch,
           .arguments = {array(scrambled<std::uint32_t>(2 * blocks * threads, 4)),
                         zeros<std::uint32_t>(9 * blocks * threads)},
           .reference = fields}};
}

}  // namespace lathe::conformance
