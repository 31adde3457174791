// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/simulate.cu.
#include <algorithm>
#include <array>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

Case nbodyForces(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 512, 32768);
  return {.kernel = "nbodyForces",
          .arrays = {input<float>(4 * n, uniform(0.1, 1)), output<float>(3 * n)},
          .arguments = {At{0}, At{1}, int(n)},
          .grid = groupsFor(n),
          .work = 20.0 * double(n) * double(n),
          .unit = Unit::operations,
          .tolerance = 1e-4,
          .scale = double(n),
          .reference = each(n, [=](Host& h, std::size_t i) {
            const float* bodies = h.at<float>(0);
            std::array<double, 3> force{};
            for (std::size_t j = 0; j < n; ++j) {
              std::array<double, 3> away{};
              double square = 0.001;
              for (std::size_t axis = 0; axis < 3; ++axis) {
                away[axis] = double(bodies[4 * j + axis]) - double(bodies[4 * i + axis]);
                square += away[axis] * away[axis];
              }
              for (std::size_t axis = 0; axis < 3; ++axis)
                force[axis] += double(bodies[4 * j + 3]) * away[axis] / (square * std::sqrt(square));
            }
            for (std::size_t axis = 0; axis < 3; ++axis) h.at<float>(1)[3 * i + axis] = float(force[axis]);
          })};
}

Case mandelbrot(Scale scale) {
  const int n = pick(scale, 64, 4096), limit = pick(scale, 50, 200);
  const auto size = std::size_t(n) * std::size_t(n);
  const auto edge = std::uint32_t(n);
  return {.kernel = "mandelbrot",
          .arrays = {output<int>(size)},
          .arguments = {At{0}, n, n, limit},
          .grid = {edge / 16, edge / 16},
          .group = {16, 16},
          .work = double(size),
          .unit = Unit::operations,
          .strays = 0.02,  // a rounding decides when points near the edge leave
          .reference = each(size, [=](Host& h, std::size_t i) {
            const double cx = -2 + 3.0 * double(i % edge) / n, cy = -1.5 + 3.0 * double(i / edge) / n;
            double x = 0, y = 0;
            int steps = 0;
            for (; steps < limit && x * x + y * y <= 4; ++steps) {
              const double next = x * x - y * y + cx;
              y = 2 * x * y + cy;
              x = next;
            }
            h.at<int>(0)[i] = steps;
          })};
}

std::uint32_t xorshift(std::uint32_t& state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

Case monteCarloPi(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 600, 1 << 20);
  const int trials = pick(scale, 40, 256);
  return {.kernel = "monteCarloPi",
          .arrays = {input<unsigned>(n, [](std::size_t i) { return scramble(i, 1); }), output<unsigned>(n)},
          .arguments = {At{0}, At{1}, trials, int(n)},
          .grid = groupsFor(n),
          .work = double(n) * trials,
          .unit = Unit::operations,
          .strays = 1e-3,  // a point may lie on the circle but for a rounding
          .reference = each(n, [=](Host& h, std::size_t i) {
            std::uint32_t state = h.at<unsigned>(0)[i] | 1, inside = 0;
            for (int trial = 0; trial < trials; ++trial) {
              const float x = float(xorshift(state)) * 2.3283064e-10f, y = float(xorshift(state)) * 2.3283064e-10f;
              inside += x * x + y * y < 1 ? 1 : 0;
            }
            h.at<unsigned>(1)[i] = inside;
          })};
}

Case philoxUniform(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 2000, 1 << 24);
  return {.kernel = "philoxUniform",
          .arrays = {output<float>(4 * n)},
          .arguments = {At{0}, 0x12345678u, 0x9abcdef0u, int(n)},
          .grid = groupsFor(n),
          .work = 16.0 * double(n),
          .reference = each(n, [](Host& h, std::size_t i) {
            std::array<std::uint32_t, 4> c = {std::uint32_t(i), 0, 0, 0};
            std::uint32_t key0 = 0x12345678, key1 = 0x9abcdef0;
            for (int round = 0; round < 10; ++round) {
              const std::uint64_t p = std::uint64_t{0xd2511f53} * c[0], q = std::uint64_t{0xcd9e8d57} * c[2];
              c = {std::uint32_t(q >> 32) ^ c[1] ^ key0, std::uint32_t(q), std::uint32_t(p >> 32) ^ c[3] ^ key1,
                   std::uint32_t(p)};
              key0 += 0x9e3779b9;
              key1 += 0xbb67ae85;
            }
            for (std::size_t k = 0; k < 4; ++k) h.at<float>(0)[4 * i + k] = float(c[k] >> 8) * 0x1p-24f;
          })};
}

Case randomWalks(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 600, 1 << 20);
  const int steps = pick(scale, 50, 256);
  return {.kernel = "randomWalks",
          .arrays = {input<std::uint64_t>(
                         n, [](std::size_t i) { return std::uint64_t{scramble(i, 1)} << 32 | scramble(i, 2); }),
                     output<int>(2 * n)},
          .arguments = {At{0}, At{1}, steps, int(n)},
          .grid = groupsFor(n),
          .work = double(n) * steps,
          .unit = Unit::operations,
          .reference = each(n, [=](Host& h, std::size_t i) {
            std::uint64_t state = h.at<std::uint64_t>(0)[i];
            std::array<int, 4> taken{};
            for (int step = 0; step < steps; ++step) {
              state = state * 6364136223846793005u + 1442695040888963407u;
              ++taken[state >> 62];
            }
            h.at<int>(1)[2 * i] = taken[0] - taken[1];
            h.at<int>(1)[2 * i + 1] = taken[2] - taken[3];
          })};
}

Case blackScholes(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 3000, 1 << 24);
  const float rate = 0.02f, volatility = 0.3f;
  return {.kernel = "blackScholes",
          .arrays = {input<float>(n, uniform(5, 30)), input<float>(n, uniform(1, 100, 2)),
                     input<float>(n, uniform(0.25, 10, 3)), output<float>(n), output<float>(n)},
          .arguments = {At{0}, At{1}, At{2}, At{3}, At{4}, rate, volatility, int(n)},
          .grid = groupsFor(n),
          .work = 20.0 * double(n),
          .tolerance = 1e-5,
          .scale = 100,
          .reference = each(n, [=](Host& h, std::size_t i) {
            const auto s = double(h.at<float>(0)[i]), k = double(h.at<float>(1)[i]), t = double(h.at<float>(2)[i]);
            const auto r = double(rate), v = double(volatility);
            const double root = v * std::sqrt(t), d1 = (std::log(s / k) + (r + v * v / 2) * t) / root;
            const auto normal = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
            const double owed = k * std::exp(-r * t);
            h.at<float>(3)[i] = float(s * normal(d1) - owed * normal(d1 - root));
            h.at<float>(4)[i] = float(owed * (1 - normal(d1 - root)) - s * (1 - normal(d1)));
          })};
}

Case binomialOptions(Scale scale) {
  constexpr int steps = 256;
  const std::size_t n = pick<std::size_t>(scale, 6, 16384);
  const float up = 1.01f, down = 1 / up, growth = 1.0001f;
  const float chance = (growth - down) / (up - down), discount = 1 / growth;
  return {.kernel = "binomialOptions",
          .arrays = {input<float>(n, uniform(20, 30)), input<float>(n, uniform(18, 26, 2)), output<float>(n)},
          .arguments = {At{0}, At{1}, At{2}, up, down, chance, discount},
          .grid = {std::uint32_t(n)},
          .work = double(n) * steps * steps / 2,
          .unit = Unit::operations,
          .tolerance = 1e-3,
          .reference = each(n, [=](Host& h, std::size_t i) {
            std::array<double, steps + 1> values{};
            for (int k = 0; k <= steps; ++k)
              values[std::size_t(k)] =
                  std::max(double(h.at<float>(0)[i]) * std::pow(double(up), k) * std::pow(double(down), steps - k) -
                               double(h.at<float>(1)[i]),
                           0.0);
            for (std::size_t step = steps; step > 0; --step)
              for (std::size_t k = 0; k < step; ++k)
                values[k] = double(discount) * (double(chance) * values[k + 1] + (1 - double(chance)) * values[k]);
            h.at<float>(2)[i] = float(values[0]);
          })};
}

Case raySpheres(Scale scale) {
  const int n = pick(scale, 64, 2048), count = pick(scale, 20, 200);
  const auto size = std::size_t(n) * std::size_t(n);
  const auto edge = std::uint32_t(n);
  const auto sphere = [](std::size_t i) {
    const float draw = uniform(0, 1)(i);
    const std::size_t axis = i % 4;
    return axis == 3 ? 0.1f + draw * 0.4f : axis == 2 ? 3 + draw * 5 : draw * 4 - 2;
  };
  return {.kernel = "raySpheres",
          .arrays = {input<float>(4 * std::size_t(count), sphere), output<float>(4 * size)},
          .arguments = {At{0}, At{1}, count, n, n},
          .grid = {edge / 16, edge / 16},
          .group = {16, 16},
          .work = double(size) * count,
          .unit = Unit::operations,
          .tolerance = 1e-3,
          .strays = 5e-3,  // the silhouettes
          .reference = each(size, [=](Host& h, std::size_t i) {
            std::array<double, 3> ray = {(double(i % edge) + 0.5) / n - 0.5, (double(i / edge) + 0.5) / n - 0.5, 1};
            const double length = std::hypot(ray[0], ray[1], ray[2]);
            for (double& part : ray) part /= length;
            std::array<double, 4> color = {0.2, 0.3, 0.5, 1};
            double nearest = 1e20;
            for (int k = 0; k < count; ++k) {
              const float* s = h.at<float>(0) + 4 * k;
              double along = 0, square = -double(s[3]) * double(s[3]);
              for (std::size_t axis = 0; axis < 3; ++axis) {
                along += double(s[axis]) * ray[axis];
                square += double(s[axis]) * double(s[axis]);
              }
              const double under = along * along - square, t = along - std::sqrt(std::max(under, 0.0));
              if (under <= 0 || t <= 0.001 || t >= nearest) continue;
              nearest = t;
              for (std::size_t axis = 0; axis < 3; ++axis)
                color[axis] = (ray[axis] * t - double(s[axis])) / double(s[3]);
              color[3] = t;
            }
            for (std::size_t k = 0; k < 4; ++k) h.at<float>(1)[4 * i + k] = float(color[k]);
          })};
}

Case kMeansAssign(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 3000, 1 << 21), clusters = pick<std::size_t>(scale, 7, 64);
  return {.kernel = "kMeansAssign",
          .arrays = {input<float>(8 * n, uniform(0, 1)), input<float>(8 * clusters, uniform(0, 1, 2)), output<int>(n),
                     output<float>(n)},
          .arguments = {At{0}, At{1}, At{2}, At{3}, int(clusters), int(n)},
          .grid = groupsFor(n),
          .work = 24.0 * double(n * clusters),
          .unit = Unit::operations,
          .tolerance = 1e-5,
          .strays = 1e-4,  // two centers may be equally near
          .reference = each(n, [=](Host& h, std::size_t i) {
            double best = 1e30;
            for (std::size_t c = 0; c < clusters; ++c) {
              double sum = 0;
              for (std::size_t d = 0; d < 8; ++d)
                sum += std::pow(double(h.at<float>(0)[d * n + i]) - double(h.at<float>(1)[c * 8 + d]), 2);
              if (sum >= best) continue;
              best = sum;
              h.at<int>(2)[i] = int(c);
            }
            h.at<float>(3)[i] = float(std::sqrt(best));
          })};
}

}  // namespace

std::vector<MakeCase> simulateCases() {
  return {nbodyForces,  mandelbrot,      monteCarloPi, philoxUniform, randomWalks,
          blackScholes, binomialOptions, raySpheres,   kMeansAssign};
}

}  // namespace lathe::bench::gpu
