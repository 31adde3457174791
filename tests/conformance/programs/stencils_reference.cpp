// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of stencils.cu. Values are small integers where sums may come in another order.
#include <algorithm>

#include "tests/conformance/programs/data.h"

namespace lathe::conformance {
namespace {

void jacobi(Arguments& a, const Environment&) {
  const int width = *a[2].as<int>(), height = *a[3].as<int>();
  const float* const in = a[0].as<float>();
  const auto at = [&](int i, int j) { return i < 0 || j < 0 || i >= width || j >= height ? 0.0f : in[j * width + i]; };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      a[1].as<float>()[y * width + x] = 0.25f * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1));
}

void heat(Arguments& a, const Environment&) {
  const int nx = *a[2].as<int>(), ny = *a[3].as<int>(), nz = *a[4].as<int>();
  const double k = *a[5].as<double>(), *const in = a[0].as<double>();
  for (int z = 1; z < nz - 1; ++z)
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x) {
        const double* const p = in + (z * ny + y) * nx + x;
        a[1].as<double>()[p - in] = *p + k * (p[-1] + p[1] + p[-nx] + p[nx] + p[-nx * ny] + p[nx * ny] - 6.0 * *p);
      }
}

template <bool Rows>
void separable(Arguments& a, const Environment&) {
  const int width = *a[2].as<int>(), height = *a[3].as<int>();
  constexpr float weights[] = {1, 6, 15, 20, 15, 6, 1};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float sum = 0;
      for (int j = 0; j < 7; ++j) {
        const int i = Rows ? std::clamp(x + j - 3, 0, width - 1) : x,
                  k = Rows ? y : std::clamp(y + j - 3, 0, height - 1);
        sum += weights[j] * a[0].as<float>()[k * width + i];
      }
      a[1].as<float>()[y * width + x] = sum / 64;
    }
}

void wave(Arguments& a, const Environment&) {
  const int n = *a[3].as<int>();
  std::vector<int> u0(a[0].as<int>(), a[0].as<int>() + n), u1(a[1].as<int>(), a[1].as<int>() + n), u2(u0.size());
  for (int step = 0; step < 2; ++step) {
    for (int i = 0; i < n; ++i) {
      const auto at = [n](int j) { return static_cast<std::size_t>((j + n) % n); };
      u2[at(i)] = u1[at(i - 1)] + u1[at(i + 1)] - u0[at(i)];
    }
    u0.swap(u1);
    u1.swap(u2);
  }
  std::copy(u1.begin(), u1.end(), a[2].as<int>());
}

}  // namespace

std::vector<Case> cases_programs_stencils() {
  return {{.name = "jacobi",
           .kernel = "jacobi",
           .launch = {.grid = {3, 2}, .group = {16, 16}},
           .arguments = {wholes<float>(45 * 29, 1, 100), zeros<float>(45 * 29), value(45), value(29)},
           .reference = jacobi},
          {.name = "heat3d",
           .kernel = "heat3d",
           .launch = {.grid = {3, 5}, .group = {8, 4}},
           .arguments = {wholes<double>(20 * 17 * 6, 2, 1000), zeros<double>(20 * 17 * 6), value(20), value(17),
                         value(6), value(0.125)},
           .reference = heat},
          {.name = "separable_rows",
           .kernel = "separable<true>",
           .launch = {.grid = {2, 21}, .group = {32}, .dynamicSharedBytes = 38 * sizeof(float)},
           .arguments = {wholes<float>(50 * 21, 3, 256), zeros<float>(50 * 21), value(50), value(21)},
           .reference = separable<true>},
          {.name = "separable_columns",
           .kernel = "separable<false>",
           .launch = {.grid = {50, 1}, .group = {32}, .dynamicSharedBytes = 38 * sizeof(float)},
           .arguments = {wholes<float>(50 * 21, 3, 256), zeros<float>(50 * 21), value(50), value(21)},
           .reference = separable<false>},
          {.name = "wave",
           .kernel = "wave",
           .launch = {.grid = {4}, .group = {128}},
           .arguments = {wholes<int>(512, 4, 50), wholes<int>(512, 5, 50), zeros<int>(512), value(512)},
           .reference = wave}};
}

}  // namespace lathe::conformance
