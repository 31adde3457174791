// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of stencil.cu.
#include <algorithm>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int width = 37, height = 11;

void stencilReference(Arguments& a, const DeviceInfo&) {
  const float* const in = a[0].as<float>();
  const auto at = [&](int x, int y) { return in[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)]; };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      a[1].as<float>()[y * width + x] =
          0.5f * at(x, y) + 0.125f * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1));
}

}  // namespace

std::vector<Case> cases_cuda_stencil() {
  return {{.name = "five_points",
           .kernel = "stencil",
           .launch = {.grid = {3, 3}, .group = {16, 4}},
           // Small multiples of 1/8: every order of the additions is exact.
           .arguments = {array([] {
                           std::vector<float> out;
                           for (const int x : scrambled<int>(width * height, 5))
                             out.push_back(static_cast<float>(x % 256));
                           return out;
                         }()),
                         zeros<float>(width * height), value(width), value(height)},
           .reference = stencilReference},
          {.name = "scalar_shared_flag",
           .kernel = "sharedFlag",
           .launch = {.grid = {3}, .group = {48}},
           .arguments = {counting<int>(3, 5, 4), zeros<int>(144)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             for (int i = 0; i < 144; ++i) a[1].as<int>()[i] = a[0].as<int>()[i / 48];
           }}};
}

}  // namespace lathe::conformance
