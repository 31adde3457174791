// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/stencil.cu.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

constexpr int radius = 4;
constexpr std::array<float, radius + 1> lineWeights = {0.4f, 0.15f, 0.1f, 0.03f, 0.02f};

Case line(const char* kernel, Scale scale, bool edges) {
  const int n = pick(scale, 5000, 1 << 26);
  const auto size = std::size_t(n);
  return {.kernel = kernel,
          .arrays = {input<float>(size, uniform(-1, 1)), output<float>(size)},
          .arguments = {At{0}, At{1}, n},
          .grid = groupsFor(size),
          .work = 8.0 * n,
          .tolerance = 1e-5,
          .reference = each(size, [=](Host& h, std::size_t at) {
            const int i = int(at);
            if (!edges && (i < radius || i >= n - radius)) return;
            double sum = 0;
            for (int k = -radius; k <= radius; ++k)
              if (i + k >= 0 && i + k < n)
                sum += double(lineWeights[std::size_t(std::abs(k))]) * double(h.at<float>(0)[i + k]);
            h.at<float>(1)[i] = float(sum);
          })};
}
Case stencilLine(Scale scale) {
  return line("stencilLine", scale, false);
}
Case stencilLineShared(Scale scale) {
  return line("stencilLineShared", scale, true);
}

Case stencilFive(Scale scale) {
  const int n = pick(scale, 100, 8192);
  const auto size = std::size_t(n) * std::size_t(n);
  const auto edge = std::uint32_t(n);
  return {.kernel = "stencilFive",
          .arrays = {input<float>(size, uniform(-1, 1)), output<float>(size)},
          .arguments = {At{0}, At{1}, n, n},
          .grid = {(edge + 31) / 32, (edge + 7) / 8},
          .group = {32, 8},
          .work = 8.0 * double(size),
          .tolerance = 1e-5,
          .reference = each(size, [=](Host& h, std::size_t i) {
            const int x = int(i) % n, y = int(i) / n;
            if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
            const float* in = h.at<float>(0) + i;
            h.at<float>(1)[i] = 0.5f * in[0] + 0.125f * (in[-1] + in[1] + in[-n] + in[n]);
          })};
}

Case stencilNineShared(Scale scale) {
  const int n = pick(scale, 100, 8192);
  const auto size = std::size_t(n) * std::size_t(n);
  const auto tiles = (std::uint32_t(n) + 15) / 16;
  return {.kernel = "stencilNineShared",
          .arrays = {input<float>(size, uniform(-1, 1)), output<float>(size)},
          .arguments = {At{0}, At{1}, n, n},
          .grid = {tiles, tiles},
          .group = {16, 16},
          .work = 8.0 * double(size),
          .tolerance = 1e-5,
          .reference = each(size, [=](Host& h, std::size_t i) {
            const int x = int(i) % n, y = int(i) / n;
            float sum = 0;
            for (int dy = -1; dy <= 1; ++dy)
              for (int dx = -1; dx <= 1; ++dx) {
                const int nx = std::clamp(x + dx, 0, n - 1), ny = std::clamp(y + dy, 0, n - 1);
                sum += h.at<float>(0)[ny * n + nx] / float(4 << (std::abs(dx) + std::abs(dy)));
              }
            h.at<float>(1)[i] = sum;
          })};
}

/// Both orders of a seven-point stencil over a cube.
Case cube(const char* kernel, Scale scale, Extent3 group, bool wholeColumns) {
  const int n = pick(scale, 20, 400);
  const auto size = std::size_t(n) * std::size_t(n) * std::size_t(n);
  const auto edge = std::uint32_t(n);
  return {.kernel = kernel,
          .arrays = {input<float>(size, uniform(-1, 1)), output<float>(size)},
          .arguments = {At{0}, At{1}, n, n, n},
          .grid = {(edge + group.x - 1) / group.x, (edge + group.y - 1) / group.y,
                   wholeColumns ? 1 : (edge + group.z - 1) / group.z},
          .group = group,
          .work = 8.0 * double(size),
          .tolerance = 1e-5,
          .reference = each(size, [=](Host& h, std::size_t i) {
            const int x = int(i) % n, y = int(i) / n % n, z = int(i) / (n * n);
            if (std::min({x, y, z}) < 1 || std::max({x, y, z}) >= n - 1) return;
            const float* in = h.at<float>(0) + i;
            h.at<float>(1)[i] = 0.4f * in[0] + 0.1f * (in[-1] + in[1] + in[-n] + in[n] + in[-n * n] + in[n * n]);
          })};
}
Case stencilSeven(Scale scale) {
  return cube("stencilSeven", scale, {32, 4, 2}, false);
}
Case stencilColumns(Scale scale) {
  return cube("stencilColumns", scale, {32, 8}, true);
}

Case jacobiDouble(Scale scale) {
  const int n = pick(scale, 70, 4096);
  const auto size = std::size_t(n) * std::size_t(n);
  const auto edge = std::uint32_t(n);
  return {.kernel = "jacobiDouble",
          .arrays = {input<double>(size, uniform(-1, 1)), input<double>(size, uniform(-1, 1, 2)), output<double>(size)},
          .arguments = {At{0}, At{1}, At{2}, n, 0.01},
          .grid = {(edge + 31) / 32, (edge + 7) / 8},
          .group = {32, 8},
          .work = 24.0 * double(size),
          .tolerance = 1e-13,
          .reference = each(size, [=](Host& h, std::size_t i) {
            const int x = int(i) % n, y = int(i) / n;
            const auto at = [&](int column, int row) {
              return column < 0 || row < 0 || column >= n || row >= n ? 0.0 : h.at<double>(0)[row * n + column];
            };
            h.at<double>(2)[i] =
                0.25 * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) + 0.01 * h.at<double>(1)[i]);
          })};
}

Case lifeStep(Scale scale) {
  const int n = pick(scale, 90, 8192);
  const auto size = std::size_t(n) * std::size_t(n);
  const auto edge = std::uint32_t(n);
  return {.kernel = "lifeStep",
          .arrays = {input<std::uint8_t>(size, below(2)), output<std::uint8_t>(size)},
          .arguments = {At{0}, At{1}, n, n},
          .grid = {(edge + 31) / 32, (edge + 7) / 8},
          .group = {32, 8},
          .work = 2.0 * double(size),
          .reference = each(size, [=](Host& h, std::size_t i) {
            const auto* in = h.at<std::uint8_t>(0);
            const int x = int(i) % n, y = int(i) / n;
            int alive = -in[i];
            for (int dy = n - 1; dy <= n + 1; ++dy)
              for (int dx = n - 1; dx <= n + 1; ++dx) alive += in[(y + dy) % n * n + (x + dx) % n];
            h.at<std::uint8_t>(1)[i] = alive == 3 || (alive == 2 && in[i] == 1);
          })};
}

}  // namespace

std::vector<MakeCase> stencilCases() {
  return {stencilLine,  stencilLineShared, stencilFive,  stencilNineShared,
          stencilSeven, stencilColumns,    jacobiDouble, lifeStep};
}

}  // namespace lathe::bench::gpu
