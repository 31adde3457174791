// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of networks.cu, in double.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/conformance/programs/data.h"

namespace lathe::conformance {
namespace {

/// The exponentials of a row less its maximum, and their sum.
std::vector<double> exponentials(const float* x, int n, double& sum) {
  const double most = *std::max_element(x, x + n);
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(std::exp(x[i] - most));
  sum = std::accumulate(out.begin(), out.end(), 0.0);
  return out;
}

void softmax(Arguments& a, const Environment&) {
  const int columns = *a[3].as<int>();
  for (int row = 0; row < *a[2].as<int>(); ++row) {
    double sum = 0;
    const auto e = exponentials(a[0].as<float>() + row * columns, columns, sum);
    for (int i = 0; i < columns; ++i)
      a[1].as<float>()[row * columns + i] = static_cast<float>(e[static_cast<std::size_t>(i)] / sum);
  }
}

struct Moments {
  double mean = 0, inverse = 0;
};
Moments momentsOf(const float* x, int n) {
  double mean = 0, variance = 0;
  for (int i = 0; i < n; ++i) mean += x[i] / static_cast<double>(n);
  for (int i = 0; i < n; ++i) variance += (x[i] - mean) * (x[i] - mean) / n;
  return {mean, 1 / std::sqrt(variance + 1e-5)};
}

constexpr int rows = 5;
void layerNorm(Arguments& a, const Environment&) {
  const int width = *a[6].as<int>();
  for (int row = 0; row < rows; ++row) {
    const float* const x = a[0].as<float>() + row * width;
    const Moments moments = momentsOf(x, width);
    for (int i = 0; i < width; ++i)
      a[3].as<float>()[row * width + i] =
          static_cast<float>((x[i] - moments.mean) * moments.inverse * a[1].as<float>()[i] + a[2].as<float>()[i]);
    a[4].as<float>()[row] = static_cast<float>(moments.mean);
    a[5].as<float>()[row] = static_cast<float>(moments.inverse);
  }
}
void layerNormBackward(Arguments& a, const Environment&) {
  const int width = *a[7].as<int>();
  std::vector<double> gain(static_cast<std::size_t>(width));
  for (int row = 0; row < rows; ++row) {
    const double mean = a[2].as<float>()[row], inverse = a[3].as<float>()[row];
    const auto normal = [&](int i) { return (a[0].as<float>()[row * width + i] - mean) * inverse; };
    const auto gradient = [&](int i) { return static_cast<double>(a[4].as<float>()[row * width + i]); };
    double sum = 0, weighted = 0;
    for (int i = 0; i < width; ++i) {
      sum += gradient(i) * a[1].as<float>()[i] / width;
      weighted += gradient(i) * a[1].as<float>()[i] * normal(i) / width;
      gain[static_cast<std::size_t>(i)] += gradient(i) * normal(i);
    }
    for (int i = 0; i < width; ++i)
      a[5].as<float>()[row * width + i] =
          static_cast<float>((gradient(i) * a[1].as<float>()[i] - sum - normal(i) * weighted) * inverse);
  }
  for (int i = 0; i < width; ++i) a[6].as<float>()[i] = static_cast<float>(gain[static_cast<std::size_t>(i)]);
}
Arguments normBackwardArguments(int width) {
  const auto n = static_cast<std::size_t>(rows * width), w = static_cast<std::size_t>(width);
  const std::vector<float> x = fractions(n, 94);
  std::vector<float> means, inverses;
  for (int row = 0; row < rows; ++row) {
    const Moments moments = momentsOf(x.data() + row * width, width);
    means.push_back(static_cast<float>(moments.mean));
    inverses.push_back(static_cast<float>(moments.inverse));
  }
  return {array(x),        array(fractions(w, 95)), array(means), array(inverses), array(fractions(n, 96)),
          zeros<float>(n), zeros<float>(w),         value(width)};
}

void attention(Arguments& a, const Environment&) {
  const int width = *a[4].as<int>();
  for (int query = 0; query < static_cast<int>(a[3].count()) / width; ++query) {
    double sum = 0;
    std::vector<double> value(static_cast<std::size_t>(width));
    for (int key = 0; key <= query; ++key) {
      double dot = 0;
      for (int i = 0; i < width; ++i)
        dot += static_cast<double>(a[0].as<float>()[query * width + i]) * a[1].as<float>()[key * width + i];
      const double score = std::exp(dot / std::sqrt(width));
      sum += score;
      for (int i = 0; i < width; ++i) value[static_cast<std::size_t>(i)] += score * a[2].as<float>()[key * width + i];
    }
    for (int i = 0; i < width; ++i)
      a[3].as<float>()[query * width + i] = static_cast<float>(value[static_cast<std::size_t>(i)] / sum);
  }
}

void convolution(Arguments& a, const Environment&) {
  const int size = *a[3].as<int>(), after = size - 4;
  for (int f = 0; f < 4; ++f)
    for (int y = 0; y < after; ++y)
      for (int x = 0; x < after; ++x) {
        float sum = 0;
        for (int c = 0; c < 3; ++c)
          for (int j = 0; j < 5; ++j)
            for (int i = 0; i < 5; ++i)
              sum +=
                  a[1].as<float>()[((f * 3 + c) * 5 + j) * 5 + i] * a[0].as<float>()[(c * size + y + j) * size + x + i];
        a[2].as<float>()[(f * after + y) * after + x] = std::max(sum, 0.0f);
      }
}

/// A whole number of at most 2048 as a half, and back.
std::uint16_t halfOf(int x) {
  if (x == 0) return 0;
  const auto magnitude = static_cast<std::uint32_t>(x < 0 ? -x : x);
  const int high = 31 - __builtin_clz(magnitude);
  return static_cast<std::uint16_t>((x < 0 ? 0x8000 : 0) | (high + 15) << 10 |
                                    static_cast<int>(magnitude << 10 >> high & 0x3ff));
}
int wholeOf(std::uint16_t half) {
  if ((half & 0x7fff) == 0) return 0;
  const int high = (half >> 10 & 31) - 15, magnitude = (1024 | (half & 0x3ff)) << high >> 10;
  return half & 0x8000 ? -magnitude : magnitude;
}
Argument halves(std::size_t n, std::uint64_t seed) {
  std::vector<std::uint16_t> out;
  for (const int x : wholeNumbers<int>(n, seed, 1000)) out.push_back(halfOf(x));
  return array(out);
}
void biasAndRelu(Arguments& a, const Environment&) {
  const auto pairs = static_cast<std::size_t>(*a[3].as<int>());
  for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(*a[4].as<int>()); ++i)
    a[2].as<std::uint16_t>()[i] =
        halfOf(std::max(0, wholeOf(a[0].as<std::uint16_t>()[i]) + wholeOf(a[1].as<std::uint16_t>()[i % (2 * pairs)])));
}

void adam(Arguments& a, const Environment&) {
  const double rate = *a[5].as<float>(), beta1 = *a[6].as<float>(), beta2 = *a[7].as<float>(), step = *a[8].as<int>();
  for (int i = 0; i < *a[4].as<int>(); ++i) {
    const double g = a[1].as<float>()[i], m = beta1 * (a[2].as<float>()[i] - g) + g;
    const double v = beta2 * (a[3].as<float>()[i] - g * g) + g * g;
    a[2].as<float>()[i] = static_cast<float>(m);
    a[3].as<float>()[i] = static_cast<float>(v);
    a[0].as<float>()[i] -= static_cast<float>(rate * m / (1 - std::pow(beta1, step)) /
                                              (std::sqrt(v / (1 - std::pow(beta2, step))) + 1e-8));
  }
}

void crossEntropy(Arguments& a, const Environment&) {
  const int classes = *a[4].as<int>();
  for (int row = 0; row < static_cast<int>(a[1].count()); ++row) {
    double sum = 0;
    const float* const x = a[0].as<float>() + row * classes;
    const auto e = exponentials(x, classes, sum);
    const int target = a[1].as<int>()[row];
    for (int i = 0; i < classes; ++i)
      a[3].as<float>()[row * classes + i] = static_cast<float>(e[static_cast<std::size_t>(i)] / sum - (i == target));
    a[2].as<float>()[row] = static_cast<float>(-std::log(e[static_cast<std::size_t>(target)] / sum));
  }
}

}  // namespace

std::vector<Case> cases_programs_networks() {
  const std::vector<Tolerance> close = {{.absolute = 1e-5}};
  return {{.name = "softmax",
           .kernel = "softmax",
           .launch = {.grid = {3}, .group = {64}},
           .arguments = {wholes<float>(5 * 77, 91, 12), zeros<float>(5 * 77), value(5), value(77)},
           .reference = softmax,
           .tolerances = close},
          {.name = "layer_norm",
           .kernel = "layerNorm",
           .launch = {.grid = {rows}, .group = {96}},
           .arguments = {array(fractions(rows * 150, 92)), array(fractions(150, 93)), array(fractions(150, 94)),
                         zeros<float>(rows * 150), zeros<float>(rows), zeros<float>(rows), value(150)},
           .reference = layerNorm,
           .tolerances = close},
          {.name = "layer_norm_backward",
           .kernel = "layerNormBackward",
           .launch = {.grid = {rows}, .group = {64}},
           .arguments = normBackwardArguments(150),
           .reference = layerNormBackward,
           .tolerances = {{.absolute = 3e-5}}},
          {.name = "attention",
           .kernel = "attention",
           .launch = {.grid = {40}, .group = {32}, .dynamicSharedBytes = 40 * sizeof(float)},
           .arguments = {array(fractions(40 * 24, 97)), array(fractions(40 * 24, 98)), array(fractions(40 * 24, 99)),
                         zeros<float>(40 * 24), value(24)},
           .reference = attention,
           .tolerances = close},
          {.name = "convolution",
           .kernel = "convolution<3, 5>",
           .launch = {.grid = {2, 4, 4}, .group = {16, 8}},
           .arguments = {wholes<float>(3 * 30 * 30, 101, 20), wholes<float>(4 * 75, 102, 10), zeros<float>(4 * 26 * 26),
                         value(30)},
           .reference = convolution},
          {.name = "bias_and_relu",
           .kernel = "biasAndRelu",
           .launch = {.grid = {4}, .group = {64}},
           .arguments = {halves(400, 103), halves(20, 104), zeros<std::uint16_t>(400), value(10), value(200)},
           .reference = biasAndRelu},
          {.name = "adam",
           .kernel = "adam",
           .launch = {.grid = {3}, .group = {64}},
           .arguments = {array(fractions(150, 105)), array(fractions(150, 106)), array(fractions(150, 107)),
                         array(fractions(150, 108)), value(150), value(0.01f), value(0.9f), value(0.999f), value(3)},
           .reference = adam,
           .tolerances = {{.absolute = 2e-5}}},
          {.name = "cross_entropy",
           .kernel = "crossEntropy",
           .launch = {.grid = {2}, .group = {32, 2}},
           .arguments = {wholes<float>(4 * 60, 109, 10), array(std::vector<int>{3, 59, 0, 31}), zeros<float>(4),
                         zeros<float>(4 * 60), value(60)},
           .reference = crossEntropy,
           .tolerances = close}};
}

}  // namespace lathe::conformance
