// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of simulations.cu.
#include <algorithm>
#include <cmath>

#include "tests/conformance/programs/data.h"

namespace lathe::conformance {
namespace {

void gravity(Arguments& a, const Environment&) {
  const int n = *a[2].as<int>();
  const float* const b = a[0].as<float>();
  for (int i = 0; i < n; ++i) {
    double sum[3] = {};
    for (int j = 0; j < n; ++j) {
      double d[3], square = *a[3].as<float>();
      for (int c = 0; c < 3; ++c) {
        d[c] = b[4 * j + c] - b[4 * i + c];
        square += d[c] * d[c];
      }
      for (int c = 0; c < 3; ++c) sum[c] += d[c] * b[4 * j + 3] / (square * std::sqrt(square));
    }
    for (int c = 0; c < 3; ++c) a[1].as<float>()[4 * i + c] = static_cast<float>(sum[c]);
    a[1].as<float>()[4 * i + 3] = 0;
  }
}

void neighbours(Arguments& a, const Environment&) {
  const int n = *a[1].as<int>(), perSide = *a[2].as<int>();
  const float* const p = a[0].as<float>();
  const float reach = *a[6].as<float>();
  std::vector<int> cell(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    cell[static_cast<std::size_t>(i)] = static_cast<int>(p[2 * i + 1] * static_cast<float>(perSide)) * perSide +
                                        static_cast<int>(p[2 * i] * static_cast<float>(perSide));
  for (int c = 0; c <= perSide * perSide; ++c)
    a[3].as<int>()[c] = static_cast<int>(std::ranges::count_if(cell, [c](int other) { return other < c; }));
  for (int i = 0; i < n; ++i) a[4].as<int>()[i] = i;
  std::stable_sort(a[4].as<int>(), a[4].as<int>() + n,
                   [&](int x, int y) { return cell[static_cast<std::size_t>(x)] < cell[static_cast<std::size_t>(y)]; });
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const float dx = p[2 * j] - p[2 * i], dy = p[2 * j + 1] - p[2 * i + 1];
      a[5].as<int>()[i] += i != j && dx * dx + dy * dy < reach * reach;
    }
}
/// Within a cell particles come in any order.
void sortCells(Arguments& a) {
  for (int c = 0; c < *a[2].as<int>() * *a[2].as<int>(); ++c)
    std::sort(a[4].as<int>() + a[3].as<int>()[c], a[4].as<int>() + a[3].as<int>()[c + 1]);
}

void disc(Arguments& a, const Environment&) {
  for (unsigned thread = 0; thread < 3 * 64; ++thread) {
    unsigned state = (*a[0].as<unsigned>() + thread) * 2654435761u | 1u;
    const auto next = [&state] {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      return state >> 17;
    };
    for (int i = 0; i < *a[1].as<int>(); ++i) {
      const unsigned x = next(), y = next();
      *a[2].as<unsigned long long>() += x * x + y * y < (1u << 30);
    }
  }
}

/// Four thousand numbers with mean 1/2 and variance 1/12: six standard deviations are less than 110.
void uniform(Arguments& a, const Environment&) {
  *a[3].as<double>() = 2048;
}

void blackScholes(Arguments& a, const Environment&) {
  const double rate = *a[5].as<float>(), volatility = *a[6].as<float>();
  const auto normal = [](double d) { return 0.5 * std::erfc(-d * std::sqrt(0.5)); };
  for (int i = 0; i < *a[7].as<int>(); ++i) {
    const double s = a[0].as<float>()[i], x = a[1].as<float>()[i], t = a[2].as<float>()[i],
                 v = volatility * std::sqrt(t);
    const double d1 = (std::log(s / x) + (rate + 0.5 * volatility * volatility) * t) / v,
                 later = x * std::exp(-rate * t);
    const double call = s * normal(d1) - later * normal(d1 - v);
    a[3].as<float>()[i] = static_cast<float>(call);
    a[4].as<float>()[i] = static_cast<float>(call - s + later);
  }
}
Argument between(float low, float high, std::uint64_t seed) {
  std::vector<float> out = fractions(200, seed);
  for (float& x : out) x = low + x * (high - low);
  return array(out);
}

void life(Arguments& a, const Environment&) {
  const int width = *a[2].as<int>() * 32, height = *a[3].as<int>();
  const auto alive = [&](int x, int y) {
    const int i = (y + height) % height * width + (x + width) % width;
    return static_cast<int>(a[0].as<unsigned>()[i / 32] >> i % 32 & 1);
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int around = -alive(x, y);
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) around += alive(x + i, y + j);
      if (around == 3 || (around == 2 && alive(x, y))) a[1].as<unsigned>()[(y * width + x) / 32] |= 1u << x % 32;
    }
}

void julia(Arguments& a, const Environment&) {
  const int width = *a[1].as<int>(), height = *a[2].as<int>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double re = 3.0 * x / width - 1.5, im = 2.0 * y / height - 1.0;
      int i = 0;
      for (; i < 255 && re * re + im * im <= 4.0; ++i) {
        const double next = re * re - im * im + *a[3].as<double>();
        im = 2.0 * re * im + *a[4].as<double>();
        re = next;
      }
      a[0].as<unsigned char>()[y * width + x] = static_cast<unsigned char>(i);
    }
}

}  // namespace

std::vector<Case> cases_programs_simulations() {
  return {{.name = "gravity",
           .kernel = "gravity<64>",
           .launch = {.grid = {3}, .group = {64}},
           .arguments = {array(fractions(4 * 150, 111)), zeros<float>(4 * 150), value(150), value(0.05f)},
           .reference = gravity,
           .tolerances = {{.absolute = 2e-3}}},
          {.name = "neighbours",
           .kernel = "neighbours",
           .launch = {.grid = {1}, .group = {64}, .dynamicSharedBytes = 64 * sizeof(int)},
           .arguments = {array(fractions(2 * 300, 112)), value(300), value(8), zeros<int>(65), zeros<int>(300),
                         zeros<int>(300), value(0.1f)},
           .reference = neighbours,
           .normalise = sortCells},
          {.name = "disc",
           .kernel = "disc",
           .launch = {.grid = {3}, .group = {64}},
           .arguments = {value(17u), value(50), zeros<unsigned long long>(1)},
           .reference = disc},
          {.name = "uniform",
           .kernel = "uniform",
           .launch = {.grid = {2}, .group = {32}},
           .arguments = {value(1234ull), value(64), zeros<int>(1), zeros<double>(1)},
           .reference = uniform,
           .tolerances = {{.absolute = 110}}},
          {.name = "black_scholes",
           .kernel = "blackScholes",
           .launch = {.grid = {2}, .group = {64}},
           .arguments = {between(5, 30, 113), between(1, 100, 114), between(0.25f, 10, 115), zeros<float>(200),
                         zeros<float>(200), value(0.02f), value(0.3f), value(200)},
           .reference = blackScholes,
           .tolerances = {{.absolute = 2e-4}}},
          {.name = "life",
           .kernel = "life",
           .launch = {.grid = {1, 6}, .group = {4, 8}},
           .arguments = {array(scrambled<unsigned>(3 * 41, 116)), zeros<unsigned>(3 * 41), value(3), value(41)},
           .reference = life},
          {.name = "julia",
           .kernel = "julia",
           .launch = {.grid = {4, 6}, .group = {16, 8}},
           .arguments = {zeros<unsigned char>(60 * 45), value(60), value(45), value(-0.8), value(0.156)},
           .reference = julia}};
}

}  // namespace lathe::conformance
