// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of structs.cu.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

struct Complex {
  float re, im;
};
struct View {
  char tag;
  Complex origin;
  double step;
  int size[2];
};
struct Scale {
  float by;
};

constexpr int width = 20, height = 12, limit = 30;

/// The origin and the step are multiples of 1/8, but the iteration rounds: fused or not, the last steps may differ
/// where |z|² is next to 4, so the reference takes points that are far from it.
int steps(float cre, float cim) {
  double re = 0, im = 0;
  int k = 0;
  for (; k < limit && re * re + im * im < 4; ++k) {
    const double next = re * re - im * im + static_cast<double>(cre);
    im = 2 * re * im + static_cast<double>(cim);
    re = next;
  }
  return k;
}

void escapeTimes(Arguments& a, const DeviceInfo&) {
  const View& view = *a[0].as<View>();
  const float step = static_cast<float>(view.step);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      a[2].as<int>()[y * width + x] =
          steps(view.origin.re + static_cast<float>(x) * step, view.origin.im + static_cast<float>(y) * step);
}

}  // namespace

std::vector<Case> cases_cuda_structs() {
  // Memory of a class has gaps; a value-initialised one has zeros there.
  View view{};
  view.tag = 'v';
  view.origin = {-2.0f, -0.75f};
  view.step = 0.125;
  view.size[0] = width;
  view.size[1] = height;
  return {{.name = "nested_and_padded",
           .kernel = "escapeTimes",
           .launch = {.grid = {2, 2}, .group = {16, 8}},
           .arguments = {value(view), value(limit), zeros<int>(width * height)},
           .reference = escapeTimes},
          {.name = "functor",
           .kernel = "transform<Scale>",
           .launch = {.grid = {2}, .group = {32}},
           .arguments = {value(Scale{-2.5f}), counting<float>(50, 0.5f), zeros<float>(50), value(50)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             for (int i = 0; i < 50; ++i) a[2].as<float>()[i] = -2.5f * a[1].as<float>()[i];
           }}};
}

}  // namespace lathe::conformance
