// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/image.cu.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

/// A square image, in groups of 32 × 8.
struct Image {
  explicit Image(int width)
      : edge(width),
        pixels(std::size_t(width) * std::size_t(width)),
        grid{(std::uint32_t(width) + 31) / 32, (std::uint32_t(width) + 7) / 8} {}
  int edge;
  std::size_t pixels;
  Extent3 grid;

  /// The index of the pixel that lies (dx, dy) from pixel i, or of the nearest at the edge.
  [[nodiscard]] int near(std::size_t i, int dx, int dy) const {
    return std::clamp(int(i) / edge + dy, 0, edge - 1) * edge + std::clamp(int(i) % edge + dx, 0, edge - 1);
  }
};

Case boxBlur(Scale scale) {
  const Image image(pick(scale, 70, 4096));
  return {.kernel = "boxBlur",
          .arrays = {input<float>(image.pixels, uniform(0, 1)), output<float>(image.pixels)},
          .arguments = {At{0}, At{1}, image.edge, image.edge, 2},
          .grid = image.grid,
          .group = {32, 8},
          .work = 8.0 * double(image.pixels),
          .tolerance = 1e-5,
          .reference = each(image.pixels, [=](Host& h, std::size_t i) {
            double sum = 0;
            for (int k = 0; k < 25; ++k) sum += double(h.at<float>(0)[image.near(i, k % 5 - 2, k / 5 - 2)]);
            h.at<float>(1)[i] = float(sum / 25);
          })};
}

Case gaussRows(Scale scale) {
  const Image image(pick(scale, 300, 8192));
  return {.kernel = "gaussRows",
          .arrays = {input<float>(image.pixels, uniform(0, 1)), output<float>(image.pixels)},
          .arguments = {At{0}, At{1}, image.edge, image.edge},
          .grid = {groupsFor(std::size_t(image.edge)).x, std::uint32_t(image.edge)},
          .work = 8.0 * double(image.pixels),
          .tolerance = 1e-5,
          .reference = each(image.pixels, [=](Host& h, std::size_t i) {
            constexpr std::array<double, 5> weights = {0.204, 0.18, 0.124, 0.066, 0.028};
            double sum = 0;
            for (int k = -4; k <= 4; ++k)
              sum += weights[std::size_t(std::abs(k))] * double(h.at<float>(0)[image.near(i, k, 0)]);
            h.at<float>(1)[i] = float(sum);
          })};
}

Case sobelBytes(Scale scale) {
  const Image image(pick(scale, 100, 8192));
  return {.kernel = "sobelBytes",
          .arrays = {input<std::uint8_t>(image.pixels, below(256)), output<std::uint8_t>(image.pixels)},
          .arguments = {At{0}, At{1}, image.edge, image.edge},
          .grid = image.grid,
          .group = {32, 8},
          .work = 2.0 * double(image.pixels),
          .reference = each(image.pixels, [=](Host& h, std::size_t i) {
            const int x = int(i) % image.edge, y = int(i) / image.edge;
            if (std::min(x, y) < 1 || std::max(x, y) >= image.edge - 1) return;
            int across = 0, along = 0;
            for (int k = -1; k <= 1; ++k) {
              const auto* in = h.at<std::uint8_t>(0);
              const int weight = 2 - std::abs(k);
              across += weight * (in[image.near(i, 1, k)] - in[image.near(i, -1, k)]);
              along += weight * (in[image.near(i, k, 1)] - in[image.near(i, k, -1)]);
            }
            h.at<std::uint8_t>(1)[i] = std::uint8_t(std::min(255, (std::abs(across) + std::abs(along)) / 4));
          })};
}

Case bilateral(Scale scale) {
  const Image image(pick(scale, 60, 2048));
  const float space = 0.08f, value = 8;
  return {.kernel = "bilateral",
          .arrays = {input<float>(image.pixels, uniform(0, 1)), output<float>(image.pixels)},
          .arguments = {At{0}, At{1}, image.edge, image.edge, space, value},
          .grid = image.grid,
          .group = {32, 8},
          .work = 49.0 * double(image.pixels),
          .unit = Unit::operations,
          .tolerance = 1e-5,
          .reference = each(image.pixels, [=](Host& h, std::size_t i) {
            const auto center = double(h.at<float>(0)[i]);
            double sum = 0, weights = 0;
            for (int k = 0; k < 49; ++k) {
              const int dx = k % 7 - 3, dy = k / 7 - 3;
              const auto v = double(h.at<float>(0)[image.near(i, dx, dy)]);
              const double weight =
                  std::exp(-(dx * dx + dy * dy) * double(space) - (v - center) * (v - center) * double(value));
              sum += weight * v;
              weights += weight;
            }
            h.at<float>(1)[i] = float(sum / weights);
          })};
}

Case medianNine(Scale scale) {
  const Image image(pick(scale, 100, 4096));
  return {.kernel = "medianNine",
          .arrays = {input<std::uint8_t>(image.pixels, below(256)), output<std::uint8_t>(image.pixels)},
          .arguments = {At{0}, At{1}, image.edge, image.edge},
          .grid = image.grid,
          .group = {32, 8},
          .work = 2.0 * double(image.pixels),
          .reference = each(image.pixels, [=](Host& h, std::size_t i) {
            std::array<std::uint8_t, 9> around{};
            for (int k = 0; k < 9; ++k)
              around[std::size_t(k)] = h.at<std::uint8_t>(0)[image.near(i, k % 3 - 1, k / 3 - 1)];
            std::ranges::sort(around);
            h.at<std::uint8_t>(1)[i] = around[4];
          })};
}

Case resizeBilinear(Scale scale) {
  const int from = pick(scale, 50, 3000);
  const Image image(pick(scale, 70, 4096));
  return {.kernel = "resizeBilinear",
          .arrays = {input<std::uint8_t>(4 * std::size_t(from) * std::size_t(from), below(256)),
                     output<std::uint8_t>(4 * image.pixels)},
          .arguments = {At{0}, At{1}, from, from, image.edge, image.edge},
          .grid = image.grid,
          .group = {32, 8},
          .work = 4.0 * double(image.pixels) + 4.0 * from * from,
          .strays = 1e-2,  // a rounding decides at halves
          .reference = each(4 * image.pixels, [=](Host& h, std::size_t i) {
            const auto source = [&](int place) { return std::max((place + 0.5) * from / image.edge - 0.5, 0.0); };
            const double x = source(int(i / 4) % image.edge), y = source(int(i / 4) / image.edge);
            const auto pixel = [&](int dx, int dy) {
              const int column = std::min(int(x) + dx, from - 1), row = std::min(int(y) + dy, from - 1);
              return double(h.at<std::uint8_t>(0)[4 * (row * from + column) + int(i % 4)]);
            };
            const double fx = x - std::floor(x), fy = y - std::floor(y);
            const double value = (1 - fy) * ((1 - fx) * pixel(0, 0) + fx * pixel(1, 0)) +
                                 fy * ((1 - fx) * pixel(0, 1) + fx * pixel(1, 1));
            h.at<std::uint8_t>(1)[i] = std::uint8_t(value + 0.5);
          })};
}

Case colorToGrey(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 5000, 1 << 26);
  return {.kernel = "colorToGrey",
          .arrays = {input<std::uint8_t>(3 * n, below(256)), output<std::uint8_t>(n)},
          .arguments = {At{0}, At{1}, int(n)},
          .grid = groupsFor(n),
          .work = 4.0 * double(n),
          .reference = each(n, [](Host& h, std::size_t i) {
            const auto* p = h.at<std::uint8_t>(0) + 3 * i;
            h.at<std::uint8_t>(1)[i] = std::uint8_t((77 * p[0] + 150 * p[1] + 29 * p[2]) / 256);
          })};
}

Case colorToHue(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 5000, 1 << 24);
  return {.kernel = "colorToHue",
          .arrays = {input<float>(3 * n, uniform(0, 1)), output<float>(3 * n)},
          .arguments = {At{0}, At{1}, int(n)},
          .grid = groupsFor(n),
          .work = 24.0 * double(n),
          .tolerance = 1e-4,
          .strays = 1e-5,  // at the seam of the circle
          .reference = each(n, [](Host& h, std::size_t i) {
            const float* p = h.at<float>(0) + 3 * i;
            float* const out = h.at<float>(1) + 3 * i;
            const float* const top = std::max_element(p, p + 3);
            const double range = double(*top) - double(*std::min_element(p, p + 3));
            const std::size_t channel = std::size_t(top - p);
            double hue = 2.0 * double(channel) +
                         (range > 0 ? (double(p[(channel + 1) % 3]) - double(p[(channel + 2) % 3])) / range : 0);
            if (hue < 0) hue += 6;
            out[0] = float(60 * hue);
            out[1] = float(range / double(*top));
            out[2] = *top;
          })};
}

}  // namespace

std::vector<MakeCase> imageCases() {
  return {boxBlur, gaussRows, sobelBytes, bilateral, medianNine, resizeBilinear, colorToGrey, colorToHue};
}

}  // namespace lathe::bench::gpu
