// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/transform.cu.
#include <complex>
#include <numbers>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

using Complex = std::complex<double>;

Complex element(Host& host, std::size_t i) {
  return {double(host.at<float>(0)[2 * i]), double(host.at<float>(0)[2 * i + 1])};
}
void store(Host& host, std::size_t i, Complex value) {
  host.at<float>(1)[2 * i] = float(value.real());
  host.at<float>(1)[2 * i + 1] = float(value.imag());
}
Complex turn(double fraction) {
  return std::polar(1.0, -2 * std::numbers::pi * fraction);
}

/// One stage of a transform by `radix`: a direct transform of `radix` elements for each item, twiddled.
Case fftStage(const char* kernel, Scale scale, std::size_t radix) {
  const std::size_t n = pick<std::size_t>(scale, 4096, 1 << 24), span = 64, items = n / radix;
  return {.kernel = kernel,
          .arrays = {input<float>(2 * n, uniform(-1, 1)), output<float>(2 * n)},
          .arguments = {At{0}, At{1}, int(n), int(span)},
          .grid = groupsFor(items),
          .work = 16.0 * double(n),
          .tolerance = 1e-5,
          .reference = each(items, [=](Host& h, std::size_t i) {
            const std::size_t k = i % span;
            for (std::size_t to = 0; to < radix; ++to) {
              Complex sum = 0;
              for (std::size_t from = 0; from < radix; ++from)
                sum += element(h, i + from * items) *
                       turn(double(from * k) / double(radix * span) + double(from * to) / double(radix));
              store(h, (i - k) * radix + k + to * span, sum);
            }
          })};
}
Case fftStageTwo(Scale scale) {
  return fftStage("fftStageTwo", scale, 2);
}
Case fftStageFour(Scale scale) {
  return fftStage("fftStageFour", scale, 4);
}

Case fftShared(Scale scale) {
  const std::size_t size = 512, count = pick<std::size_t>(scale, 3, 32768), n = size * count;
  return {.kernel = "fftShared",
          .arrays = {input<float>(2 * n, uniform(-1, 1)), output<float>(2 * n)},
          .arguments = {At{0}, At{1}},
          .grid = {std::uint32_t(count)},
          .work = 16.0 * double(n),
          .tolerance = 1e-5,
          .scale = 20,
          .reference = each(n, [=](Host& h, std::size_t i) {
            Complex sum = 0;
            for (std::size_t k = 0; k < size; ++k)
              sum += element(h, i / size * size + k) * turn(double(i % size * k % size) / double(size));
            store(h, i, sum);
          })};
}

Case haarStep(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 3000, 1 << 25);
  return {.kernel = "haarStep",
          .arrays = {input<float>(2 * n, uniform(-1, 1)), output<float>(n), output<float>(n)},
          .arguments = {At{0}, At{1}, At{2}, int(n)},
          .grid = groupsFor(n),
          .work = 16.0 * double(n),
          .tolerance = 1e-6,
          .reference = each(n, [](Host& h, std::size_t i) {
            const Complex pair = element(h, i);
            h.at<float>(1)[i] = float((pair.real() + pair.imag()) / std::numbers::sqrt2);
            h.at<float>(2)[i] = float((pair.real() - pair.imag()) / std::numbers::sqrt2);
          })};
}

double basis(std::size_t k, std::size_t x) {
  const double factor = k == 0 ? std::sqrt(0.125) : 0.5;
  return factor * std::cos(double((2 * x + 1) * k) * std::numbers::pi / 16);
}

Case cosineEight(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 64, 4096);
  return {.kernel = "cosineEight",
          .arrays = {input<float>(n * n, uniform(0, 1)),
                     input<float>(64, [](std::size_t i) { return basis(i / 8, i % 8); }), output<float>(n * n)},
          .arguments = {At{0}, At{1}, At{2}, int(n)},
          .grid = {std::uint32_t(n / 8), std::uint32_t(n / 8)},
          .group = {8, 8},
          .work = 8.0 * double(n * n),
          .tolerance = 1e-5,
          .reference = each(n * n, [=](Host& h, std::size_t i) {
            const std::size_t x = i % n, y = i / n;
            double sum = 0;
            for (std::size_t k = 0; k < 64; ++k)
              sum += double(h.at<float>(0)[(y / 8 * 8 + k / 8) * n + x / 8 * 8 + k % 8]) * basis(y % 8, k / 8) *
                     basis(x % 8, k % 8);
            h.at<float>(2)[i] = float(sum);
          })};
}

Case walshShared(Scale scale) {
  const std::size_t size = 1024, count = pick<std::size_t>(scale, 3, 32768), n = size * count;
  return {.kernel = "walshShared",
          .arrays = {input<int>(n, below(1000)), output<int>(n)},
          .arguments = {At{0}, At{1}},
          .grid = {std::uint32_t(count)},
          .work = 8.0 * double(n),
          .reference = each(n, [=](Host& h, std::size_t i) {
            int sum = 0;
            for (std::size_t k = 0; k < size; ++k) {
              const int value = h.at<int>(0)[i / size * size + k];
              sum += std::popcount(i % size & k) % 2 == 0 ? value : -value;
            }
            h.at<int>(1)[i] = sum;
          })};
}

}  // namespace

std::vector<MakeCase> transformCases() {
  return {fftStageTwo, fftStageFour, fftShared, haarStep, cosineEight, walshShared};
}

}  // namespace lathe::bench::gpu
