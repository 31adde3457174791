// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of images.cu.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/conformance/programs/data.h"

namespace lathe::conformance {
namespace {

using Byte = unsigned char;

template <class T, class Pixel>
void eachPixel(Arguments& a, const Pixel& pixel) {
  const int width = *a[2].as<int>(), height = *a[3].as<int>();
  const auto at = [&](int x, int y) {
    return a[0].as<T>()[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)];
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) a[1].as<T>()[y * width + x] = static_cast<T>(pixel(at, x, y, width, height));
}

void sobel(Arguments& a, const Environment&) {
  eachPixel<Byte>(a, [](auto at, int x, int y, int width, int height) {
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return 0;
    const int gx =
        at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x - 1, y) - at(x - 1, y + 1);
    const int gy =
        at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x, y - 1) - at(x + 1, y - 1);
    return std::min(255, static_cast<int>(std::sqrt(static_cast<float>(gx * gx + gy * gy))));
  });
}
void median(Arguments& a, const Environment&) {
  eachPixel<Byte>(a, [](auto at, int x, int y, int, int) {
    std::vector<int> around;
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) around.push_back(at(x + i, y + j));
    std::ranges::nth_element(around, around.begin() + 4);
    return around[4];
  });
}
void bilateral(Arguments& a, const Environment&) {
  const double space = *a[4].as<float>(), range = *a[5].as<float>();
  eachPixel<float>(a, [=](auto at, int x, int y, int width, int height) {
    double sum = 0, total = 0;
    for (int j = std::max(y - 2, 0); j <= std::min(y + 2, height - 1); ++j)
      for (int i = std::max(x - 2, 0); i <= std::min(x + 2, width - 1); ++i) {
        const double d = at(i, j) - at(x, y);
        const double weight = std::exp(-((i - x) * (i - x) + (j - y) * (j - y)) * space - d * d * range);
        sum += weight * at(i, j);
        total += weight;
      }
    return sum / total;
  });
}
void shrink(Arguments& a, const Environment&) {
  const int width = *a[2].as<int>(), height = *a[3].as<int>();
  for (int y = 0; y < height / 2; ++y)
    for (int x = 0; x < width / 2; ++x)
      for (int c = 0; c < 4; ++c) {
        const auto at = [&](int i, int j) { return a[0].as<Byte>()[4 * ((2 * y + j) * width + 2 * x + i) + c]; };
        a[1].as<Byte>()[4 * (y * (width / 2) + x) + c] =
            static_cast<Byte>((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) / 4);
      }
}
void equalise(Arguments& a, const Environment&) {
  const int n = *a[1].as<int>();
  std::vector<int> bins(256);
  for (int i = 0; i < n; ++i) ++bins[a[0].as<Byte>()[i]];
  std::partial_sum(bins.begin(), bins.end(), bins.begin());
  for (int i = 0; i < n; ++i) a[0].as<Byte>()[i] = static_cast<Byte>(bins[a[0].as<Byte>()[i]] * 255LL / n);
}

Argument bytes(std::size_t n, std::uint64_t seed) {
  return array(scrambled<Byte>(n, seed));
}
Argument dark(std::size_t n, std::uint64_t seed) {
  std::vector<Byte> out = scrambled<Byte>(n, seed);
  for (Byte& x : out) x = static_cast<Byte>(x / 5 + x % 7);
  return array(out);
}

}  // namespace

std::vector<Case> cases_programs_images() {
  const LaunchOptions launch = {.grid = {3, 5}, .group = {16, 8}};
  return {{.name = "sobel",
           .kernel = "sobel",
           .launch = launch,
           .arguments = {bytes(41 * 37, 51), zeros<Byte>(41 * 37), value(41), value(37)},
           .reference = sobel},
          {.name = "median",
           .kernel = "median",
           .launch = launch,
           .arguments = {bytes(41 * 37, 52), zeros<Byte>(41 * 37), value(41), value(37)},
           .reference = median},
          {.name = "bilateral",
           .kernel = "bilateral",
           .launch = launch,
           .arguments = {array(fractions(41 * 37, 53)), zeros<float>(41 * 37), value(41), value(37), value(0.2f),
                         value(8.0f)},
           .reference = bilateral,
           .tolerances = {{.absolute = 2e-6}}},
          {.name = "shrink",
           .kernel = "shrink",
           .launch = launch,
           .arguments = {bytes(64 * 50 * 4, 54), zeros<Byte>(32 * 25 * 4), value(64), value(50)},
           .reference = shrink},
          {.name = "equalise",
           .kernel = "equalise",
           .launch = {.grid = {1}, .group = {256}},
           .arguments = {dark(3000, 55), value(3000)},
           .reference = equalise}};
}

}  // namespace lathe::conformance
