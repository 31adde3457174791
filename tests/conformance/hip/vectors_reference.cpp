// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of vectors.hip.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int threads = 32;

void floats(Arguments& arguments, const DeviceInfo&) {
  const float *const a = arguments[0].as<float>(), *const b = arguments[1].as<float>();
  float* const out = arguments[2].as<float>();
  for (int i = 0; i < threads; ++i) {
    for (int k = 0; k < 4; ++k) {
      const float sum = a[4 * i + k] + b[4 * i + k] * 2.0f - 0.5f;
      out[8 * i + k] = -(sum / static_cast<float>(1 << k));
      out[8 * i + 4 + k] = 1.0f - a[4 * i + k] + 1.0f;
    }
  }
}

void integers(Arguments& arguments, const DeviceInfo&) {
  const std::uint32_t *const a = arguments[0].as<std::uint32_t>(), *const b = arguments[1].as<std::uint32_t>();
  std::uint32_t* const out = arguments[2].as<std::uint32_t>();
  for (int i = 0; i < threads; ++i) {
    bool same = true;
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t x = a[3 * i + k], y = b[3 * i + k];
      same = same && x == y;
      out[6 * i + k] = (x & y) | (x ^ 0x55u) << 1;
      out[6 * i + 3 + k] = ~(x % static_cast<std::uint32_t>(7 + 2 * k)) >> 3;
    }
    arguments[3].as<int>()[i] = (same ? 1 : 2) + 4;
  }
}

}  // namespace

std::vector<Case> cases_hip_vectors() {
  std::vector<std::uint32_t> words = scrambled<std::uint32_t>(3 * threads, 8),
                             others = scrambled<std::uint32_t>(3 * threads, 9);
  for (std::size_t i = 0; i < words.size(); i += 2) others[i] = words[i];
  for (std::size_t i = 30; i < 60; ++i) others[i] = words[i];
  return {{.name = "floats",
           .kernel = "floats",
           .launch = {.grid = {1}, .group = {threads}},
           .arguments = {counting<float>(4 * threads, 0.25f, -9), counting<float>(4 * threads, 0.5f, 3),
                         zeros<float>(8 * threads)},
           .reference = floats},
          {.name = "integers",
           .kernel = "integers",
           .launch = {.grid = {1}, .group = {threads}},
           .arguments = {array(words), array(others), zeros<std::uint32_t>(6 * threads), zeros<int>(threads)},
           .reference = integers},
          {.name = "own_operator",
           .kernel = "own",
           .launch = {.grid = {1}, .group = {threads}},
           .arguments = {counting<double>(2 * threads, 0.5, -7), zeros<double>(2 * threads)},
           .reference = [](Arguments& arguments, const DeviceInfo&) {
             const double* const a = arguments[0].as<double>();
             for (int i = 0; i < 2 * threads; i += 2) {
               arguments[1].as<double>()[i] = a[i] * a[i] - a[i + 1] * a[i + 1] + 1;
               arguments[1].as<double>()[i + 1] = 2 * a[i] * a[i + 1] + 1;
             }
           }}};
}

}  // namespace lathe::conformance
