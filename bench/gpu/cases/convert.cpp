// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/convert.cu.
#include <algorithm>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

std::size_t lengthOf(Scale scale) {
  return pick<std::size_t>(scale, 4096, 1 << 26);
}

Case quantizeRows(Scale scale) {
  const std::size_t rows = pick<std::size_t>(scale, 5, 16384), columns = pick<std::size_t>(scale, 700, 2048);
  return {.kernel = "quantizeRows",
          .arrays = {input<float>(rows * columns, uniform(-3, 3)), output<std::int8_t>(rows * columns),
                     output<float>(rows)},
          .arguments = {At{0}, At{1}, At{2}, int(columns)},
          .grid = {std::uint32_t(rows)},
          .work = 5.0 * double(rows * columns),
          .tolerance = 1e-6,
          .scale = 0,
          .reference = each(rows, [=](Host& h, std::size_t row) {
            const float* x = h.at<float>(0) + row * columns;
            float largest = 0;
            for (std::size_t i = 0; i < columns; ++i) largest = std::max(largest, std::abs(x[i]));
            const float step = largest / 127.0f, inverse = 1.0f / step;
            for (std::size_t i = 0; i < columns; ++i)
              h.at<std::int8_t>(1)[row * columns + i] = std::int8_t(std::lrint(x[i] * inverse));
            h.at<float>(2)[row] = step;
          })};
}

Case dequantizeBytes(Scale scale) {
  const std::size_t words = lengthOf(scale) / 4, columns = 256;
  return {.kernel = "dequantizeBytes",
          .arrays = {input<std::int8_t>(4 * words, [](std::size_t i) { return int(scramble(i, 1) % 255) - 127; }),
                     input<float>(words / columns, uniform(0.01, 1, 2)), output<float>(4 * words)},
          .arguments = {At{0}, At{1}, At{2}, int(columns), int(words)},
          .grid = groupsFor(words),
          .work = 20.0 * double(words),
          .reference = each(4 * words, [](Host& h, std::size_t i) {
            h.at<float>(2)[i] = float(h.at<std::int8_t>(0)[i]) * h.at<float>(1)[i / 4 / columns];
          })};
}

Case dotBytes(Scale scale) {
  const std::size_t rows = pick<std::size_t>(scale, 24, 65536), columns = pick<std::size_t>(scale, 512, 4096);
  const auto byte = [](std::uint32_t seed) {
    return [=](std::size_t i) { return int(scramble(i, seed) % 256) - 128; };
  };
  return {
      .kernel = "dotBytes",
      .arrays = {input<std::int8_t>(rows * columns, byte(1)), input<std::int8_t>(columns, byte(2)), output<int>(rows)},
      .arguments = {At{0}, At{1}, At{2}, int(columns / 4)},
      .grid = groupsFor(rows * 32),
      .work = double(rows * columns),
      .reference = each(rows, [=](Host& h, std::size_t row) {
        int sum = 0;
        for (std::size_t i = 0; i < columns; ++i)
          sum += h.at<std::int8_t>(0)[row * columns + i] * h.at<std::int8_t>(1)[i];
        h.at<int>(2)[row] = sum;
      })};
}

Case axpyHalf2(Scale scale) {
  const std::size_t n = lengthOf(scale);
  const auto half = [](std::uint32_t seed) {
    return [=](std::size_t i) { return toHalf(double(uniform(-1, 1, seed)(i))); };
  };
  return {.kernel = "axpyHalf2",
          .arrays = {input<Half>(n, half(1)), input<Half>(n, half(2)), output<Half>(n)},
          .arguments = {At{0}, At{1}, At{2}, 1.5f, int(n / 2)},
          .grid = groupsFor(n / 2),
          .work = 6.0 * double(n),
          .reference = each(n, [](Host& h, std::size_t i) {
            h.at<Half>(2)[i] = toHalf(1.5 * double(toFloat(h.at<Half>(0)[i])) + double(toFloat(h.at<Half>(1)[i])));
          })};
}

Case floatToBrain(Scale scale) {
  const std::size_t n = lengthOf(scale);
  return {.kernel = "floatToBrain",
          .arrays = {input<float>(n, uniform(-10, 10)), output<Brain>(n)},
          .arguments = {At{0}, At{1}, int(n / 2)},
          .grid = groupsFor(n / 2),
          .work = 6.0 * double(n),
          .reference = each(n, [](Host& h, std::size_t i) { h.at<Brain>(1)[i] = toBrain(h.at<float>(0)[i]); })};
}

Case swishBrain(Scale scale) {
  const std::size_t n = lengthOf(scale);
  return {.kernel = "swishBrain",
          .arrays = {input<Brain>(n, [](std::size_t i) { return toBrain(uniform(-6, 6)(i)); }), output<Brain>(n)},
          .arguments = {At{0}, At{1}, int(n)},
          .grid = groupsFor(n),
          .work = 4.0 * double(n),
          .tolerance = 8e-3,
          .scale = 1e-3,
          .reference = each(n, [](Host& h, std::size_t i) {
            const auto x = double(toFloat(h.at<Brain>(0)[i]));
            h.at<Brain>(1)[i] = toBrain(float(x / (1 + std::exp(-x))));
          })};
}

/// The value of an 8-bit float with `mantissa` bits of mantissa.
double eightBits(unsigned bits, int mantissa, int bias) {
  const int exponent = int(bits >> mantissa) & ((1 << (7 - mantissa)) - 1);
  const double fraction = std::ldexp(double(bits & ((1u << mantissa) - 1)), -mantissa);
  const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

Case floatToFp8(Scale scale) {
  const std::size_t n = lengthOf(scale);
  return {.kernel = "floatToFp8",
          .arrays = {input<float>(n, uniform(-300, 300)), output<std::uint8_t>(n)},
          .arguments = {At{0}, At{1}, 2.0f, int(n)},
          .grid = groupsFor(n),
          .work = 5.0 * double(n),
          .reference = [=](Host& h) {
            for (std::size_t i = 0; i < n; ++i) {
              // The nearest of all finite values (448 is the largest); of two, that with an even mantissa.
              const auto x = double(h.at<float>(0)[i]) * 2;
              unsigned best = 0;
              for (unsigned bits = 0; bits < 0x7f; ++bits) {
                const double error = std::abs(eightBits(bits, 3, 7) - std::abs(x));
                const double least = std::abs(eightBits(best, 3, 7) - std::abs(x));
                if (error < least || (error == least && bits % 2 == 0)) best = bits;
              }
              h.at<std::uint8_t>(1)[i] = std::uint8_t(best | (std::signbit(x) ? 0x80u : 0u));
            }
          }};
}

Case fp8ToFloat(Scale scale) {
  const std::size_t n = lengthOf(scale);
  // Finite ones: exponents below the last.
  const auto finite = [](std::size_t i) { return (scramble(i, 1) % 0x7c) | (scramble(i, 2) & 0x80); };
  return {.kernel = "fp8ToFloat",
          .arrays = {input<std::uint8_t>(n, finite), output<float>(n)},
          .arguments = {At{0}, At{1}, 0.75f, int(n)},
          .grid = groupsFor(n),
          .work = 5.0 * double(n),
          .scale = 0,
          .reference = each(n, [](Host& h, std::size_t i) {
            h.at<float>(1)[i] = float(eightBits(h.at<std::uint8_t>(0)[i], 2, 15)) * 0.75f;
          })};
}

Case unpackNibbles(Scale scale) {
  const std::size_t n = lengthOf(scale) / 8;
  return {.kernel = "unpackNibbles",
          .arrays = {input<unsigned>(n, [](std::size_t i) { return scramble(i, 1); }), output<float>(8 * n)},
          .arguments = {At{0}, At{1}, 0.3f, 8, int(n)},
          .grid = groupsFor(n),
          .work = 36.0 * double(n),
          .reference = each(8 * n, [](Host& h, std::size_t i) {
            h.at<float>(1)[i] = float(int(h.at<unsigned>(0)[i / 8] >> (4 * (i % 8)) & 15) - 8) * 0.3f;
          })};
}

Case roundDoubles(Scale scale) {
  const std::size_t n = lengthOf(scale) / 4;
  return {.kernel = "roundDoubles",
          .arrays = {input<double>(n, [](std::size_t i) { return (double(scramble(i, 1)) - 0x1p31) * 0.5; }),
                     output<std::int64_t>(n), output<int>(n)},
          .arguments = {At{0}, At{1}, At{2}, int(n)},
          .grid = groupsFor(n),
          .work = 20.0 * double(n),
          .reference = each(n, [](Host& h, std::size_t i) {
            h.at<std::int64_t>(1)[i] = std::llrint(h.at<double>(0)[i]);
            h.at<int>(2)[i] = int(std::floor(h.at<double>(0)[i]));
          })};
}

}  // namespace

std::vector<MakeCase> convertCases() {
  return {quantizeRows, dequantizeBytes, dotBytes,   axpyHalf2,     floatToBrain,
          swishBrain,   floatToFp8,      fp8ToFloat, unpackNibbles, roundDoubles};
}

}  // namespace lathe::bench::gpu
