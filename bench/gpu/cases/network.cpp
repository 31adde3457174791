// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/network.cu.
#include <algorithm>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

auto halves(double low, double high, std::uint32_t seed) {
  return [=](std::size_t i) { return toHalf(double(uniform(low, high, seed)(i))); };
}

struct Rows {
  std::size_t count, columns;
};
Rows rowsOf(Scale scale) {
  return {pick<std::size_t>(scale, 5, 16384), pick<std::size_t>(scale, 700, 2048)};
}

Case softmaxRows(Scale scale) {
  const Rows rows = rowsOf(scale);
  const std::size_t n = rows.count * rows.columns;
  return {.kernel = "softmaxRows",
          .arrays = {input<float>(n, uniform(-4, 4)), output<float>(n)},
          .arguments = {At{0}, At{1}, int(rows.columns)},
          .grid = {std::uint32_t(rows.count)},
          .work = 8.0 * double(n),
          .tolerance = 1e-5,
          .scale = 1e-3,
          .reference = each(rows.count, [=](Host& h, std::size_t row) {
            const float* x = h.at<float>(0) + row * rows.columns;
            const float largest = *std::max_element(x, x + rows.columns);
            double sum = 0;
            for (std::size_t i = 0; i < rows.columns; ++i) sum += std::exp(double(x[i] - largest));
            for (std::size_t i = 0; i < rows.columns; ++i)
              h.at<float>(1)[row * rows.columns + i] = float(std::exp(double(x[i] - largest)) / sum);
          })};
}

Case layerNorm(Scale scale) {
  const Rows rows = rowsOf(scale);
  const std::size_t n = rows.count * rows.columns;
  return {.kernel = "layerNorm",
          .arrays = {input<float>(n, uniform(-1, 3)), input<float>(rows.columns, uniform(0.5, 2, 2)),
                     input<float>(rows.columns, uniform(-1, 1, 3)), output<float>(n)},
          .arguments = {At{0}, At{1}, At{2}, At{3}, int(rows.columns), 1e-5f},
          .grid = {std::uint32_t(rows.count)},
          .work = 8.0 * double(n),
          .tolerance = 2e-5,
          .reference = each(rows.count, [=](Host& h, std::size_t row) {
            const float* x = h.at<float>(0) + row * rows.columns;
            double sum = 0, squares = 0;
            for (std::size_t i = 0; i < rows.columns; ++i) sum += double(x[i]);
            const double mean = sum / double(rows.columns);
            for (std::size_t i = 0; i < rows.columns; ++i) squares += (double(x[i]) - mean) * (double(x[i]) - mean);
            const double factor = 1 / std::sqrt(squares / double(rows.columns) + 1e-5);
            for (std::size_t i = 0; i < rows.columns; ++i)
              h.at<float>(3)[row * rows.columns + i] =
                  float((double(x[i]) - mean) * factor * double(h.at<float>(1)[i]) + double(h.at<float>(2)[i]));
          })};
}

Case rmsNormHalf(Scale scale) {
  const Rows rows = rowsOf(scale);
  const std::size_t n = rows.count * rows.columns;
  return {.kernel = "rmsNormHalf",
          .arrays = {input<Half>(n, halves(-2, 2, 1)), input<Half>(rows.columns, halves(0.5, 2, 2)), output<Half>(n)},
          .arguments = {At{0}, At{1}, At{2}, int(rows.columns), 1e-5f},
          .grid = {std::uint32_t(rows.count)},
          .work = 4.0 * double(n),
          .tolerance = 1e-3,
          .scale = 1e-2,
          .reference = each(rows.count, [=](Host& h, std::size_t row) {
            const Half* x = h.at<Half>(0) + row * rows.columns;
            double squares = 0;
            for (std::size_t i = 0; i < rows.columns; ++i) squares += std::pow(double(toFloat(x[i])), 2);
            const double factor = 1 / std::sqrt(squares / double(rows.columns) + 1e-5);
            for (std::size_t i = 0; i < rows.columns; ++i)
              h.at<Half>(2)[row * rows.columns + i] =
                  toHalf(double(toFloat(x[i])) * factor * double(toFloat(h.at<Half>(1)[i])));
          })};
}

Case attentionQueries(Scale scale) {
  constexpr std::size_t width = 64;
  const std::size_t length = pick<std::size_t>(scale, 48, 1024), heads = pick<std::size_t>(scale, 2, 32);
  const std::size_t n = heads * length * width;
  return {.kernel = "attentionQueries",
          .arrays = {input<float>(n, uniform(-2, 2)), input<float>(n, uniform(-2, 2, 2)),
                     input<float>(n, uniform(-1, 1, 3)), output<float>(n)},
          .arguments = {At{0}, At{1}, At{2}, At{3}, int(length)},
          .grid = {std::uint32_t(length / 8), std::uint32_t(heads)},
          .work = 2.0 * double(width * heads * length * length),
          .unit = Unit::operations,
          .tolerance = 1e-4,
          .reference = each(heads * length, [=](Host& h, std::size_t i) {
            const std::size_t head = i / length * length, query = i % length;
            std::vector<double> weights;
            for (std::size_t key = 0; key <= query; ++key) {
              double score = 0;
              for (std::size_t d = 0; d < width; ++d)
                score += double(h.at<float>(0)[i * width + d]) * double(h.at<float>(1)[(head + key) * width + d]);
              weights.push_back(std::exp(score / 8));
            }
            double sum = 0;
            for (double weight : weights) sum += weight;
            for (std::size_t d = 0; d < width; ++d) {
              double value = 0;
              for (std::size_t key = 0; key <= query; ++key)
                value += weights[key] / sum * double(h.at<float>(2)[(head + key) * width + d]);
              h.at<float>(3)[i * width + d] = float(value);
            }
          })};
}

Case geluTanh(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 5000, 1 << 26);
  return {.kernel = "geluTanh",
          .arrays = {input<float>(n, uniform(-4, 4)), output<float>(n)},
          .arguments = {At{0}, At{1}, int(n)},
          .grid = groupsFor(n),
          .work = 8.0 * double(n),
          .tolerance = 1e-5,
          .scale = 0.1,
          .reference = each(n, [](Host& h, std::size_t i) {
            const auto x = double(h.at<float>(0)[i]);
            h.at<float>(1)[i] = float(0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x))));
          })};
}

Case biasReluHalf2(Scale scale) {
  const std::size_t pairs = pick<std::size_t>(scale, 5000, 1 << 25), columns = 384;
  return {.kernel = "biasReluHalf2",
          .arrays = {input<Half>(2 * pairs, halves(-2, 2, 1)), input<Half>(2 * columns, halves(-1, 1, 2)),
                     output<Half>(2 * pairs)},
          .arguments = {At{0}, At{1}, At{2}, int(columns), int(pairs)},
          .grid = groupsFor(pairs),
          .work = 8.0 * double(pairs),
          .reference = each(2 * pairs, [](Host& h, std::size_t i) {
            const float sum = toFloat(h.at<Half>(0)[i]) + toFloat(h.at<Half>(1)[i % (2 * columns)]);
            h.at<Half>(2)[i] = toHalf(double(std::max(sum, 0.0f)));
          })};
}

Case convolveThree(Scale scale) {
  const int channels = pick(scale, 3, 32), size = pick(scale, 30, 256);
  const auto area = std::size_t(size) * std::size_t(size), many = std::size_t(channels);
  const auto edge = std::uint32_t(size);
  return {.kernel = "convolveThree",
          .arrays = {input<float>(many * area, uniform(-1, 1)), input<float>(many * many * 9, uniform(-1, 1, 2)),
                     output<float>(many * area)},
          .arguments = {At{0}, At{1}, At{2}, channels, size},
          .grid = {(edge + 31) / 32, (edge + 7) / 8, std::uint32_t(channels)},
          .group = {32, 8},
          .work = 18.0 * double(many * many * area),
          .unit = Unit::operations,
          .tolerance = 1e-5,
          .scale = 10,
          .reference = each(many * area, [=](Host& h, std::size_t i) {
            const int x = int(i) % size, y = int(i) / size % size, to = int(i / area);
            double sum = 0;
            for (int k = 0; k < 9 * channels; ++k) {
              const int sx = x + k % 3 - 1, sy = y + k / 3 % 3 - 1, from = k / 9;
              if (std::min(sx, sy) >= 0 && std::max(sx, sy) < size)
                sum += double(h.at<float>(0)[(from * size + sy) * size + sx]) *
                       double(h.at<float>(1)[to * 9 * channels + k]);
            }
            h.at<float>(2)[i] = float(sum);
          })};
}

Case maxPoolTwo(Scale scale) {
  const int n = pick(scale, 100, 8192), half = n / 2;
  const auto edge = std::uint32_t(half);
  const auto results = std::size_t(half) * std::size_t(half);
  return {.kernel = "maxPoolTwo",
          .arrays = {input<float>(4 * results, uniform(-1, 1)), output<float>(results)},
          .arguments = {At{0}, At{1}, n, n},
          .grid = {(edge + 31) / 32, (edge + 7) / 8},
          .group = {32, 8},
          .work = 20.0 * double(results),
          .reference = each(results, [=](Host& h, std::size_t i) {
            const float* in = h.at<float>(0) + 2 * (int(i) / half) * n + 2 * (int(i) % half);
            h.at<float>(1)[i] = std::max({in[0], in[1], in[n], in[n + 1]});
          })};
}

Case rotaryEmbed(Scale scale) {
  const std::size_t heads = 8, positions = pick<std::size_t>(scale, 20, 65536), n = positions * heads * 32;
  return {.kernel = "rotaryEmbed",
          .arrays = {input<float>(2 * n, uniform(-1, 1)), output<float>(2 * n)},
          .arguments = {At{0}, At{1}, int(heads), int(n)},
          .grid = groupsFor(n),
          .work = 16.0 * double(n),
          // A last bit of the power moves a large angle by that bit of the angle.
          .tolerance = scale == Scale::small ? 1e-5 : 3e-2,
          .reference = each(n, [=](Host& h, std::size_t i) {
            const std::size_t pair = i % 32, at = i / 32 * 64 + pair;
            const double angle = double(i / 32 / heads) * std::pow(10000.0, -double(pair) / 32);
            const double s = std::sin(angle), c = std::cos(angle);
            const auto a = double(h.at<float>(0)[at]), b = double(h.at<float>(0)[at + 32]);
            h.at<float>(1)[at] = float(a * c - b * s);
            h.at<float>(1)[at + 32] = float(a * s + b * c);
          })};
}

}  // namespace

std::vector<MakeCase> networkCases() {
  return {softmaxRows,   layerNorm,     rmsNormHalf, attentionQueries, geluTanh,
          biasReluHalf2, convolveThree, maxPoolTwo,  rotaryEmbed};
}

}  // namespace lathe::bench::gpu
