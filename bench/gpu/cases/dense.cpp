// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/dense.cu.
#include <algorithm>
#include <complex>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

std::size_t square(int n) {
  return std::size_t(n) * std::size_t(n);
}
Extent3 tiles(int n, std::uint32_t x, std::uint32_t y) {
  return {(std::uint32_t(n) + x - 1) / x, (std::uint32_t(n) + y - 1) / y};
}

template <class T>
double value(T element) {
  if constexpr (std::is_arithmetic_v<T>)
    return double(element);
  else
    return double(toFloat(element));
}

template <class In, class Out>
void multiply(Host& host, int n) {
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += value(host.at<In>(0)[row * n + k]) * value(host.at<In>(1)[k * n + column]);
      host.at<Out>(2)[row * n + column] = Out(sum);
    }
}

Case floatProduct(const char* kernel, Scale scale, int full, Extent3 group, std::uint32_t tile) {
  const int n = pick(scale, 64, full);
  return {.kernel = kernel,
          .arrays = {input<float>(square(n), uniform(-1, 1)), input<float>(square(n), uniform(-1, 1, 2)),
                     output<float>(square(n))},
          .arguments = {At{0}, At{1}, At{2}, n},
          .grid = tiles(n, tile, tile),
          .group = group,
          .work = 2.0 * n * double(square(n)),
          .unit = Unit::operations,
          .tolerance = 1e-5,
          .scale = std::sqrt(double(n)),
          .reference = [=](Host& h) { multiply<float, float>(h, n); }};
}
Case matmulNaive(Scale scale) {
  return floatProduct("matmulNaive", scale, 1024, {16, 16}, 16);
}
Case matmulTiled(Scale scale) {
  return floatProduct("matmulTiled", scale, 2048, {16, 16}, 16);
}
Case matmulBlocked(Scale scale) {
  return floatProduct("matmulBlocked", scale, 2048, {256}, 64);
}

Case matmulDouble(Scale scale) {
  const int n = pick(scale, 64, 1024);
  return {.kernel = "matmulDouble",
          .arrays = {input<double>(square(n), uniform(-1, 1)), input<double>(square(n), uniform(-1, 1, 2)),
                     output<double>(square(n))},
          .arguments = {At{0}, At{1}, At{2}, n},
          .grid = tiles(n, 16, 16),
          .group = {16, 16},
          .work = 2.0 * n * double(square(n)),
          .unit = Unit::operations,
          .tolerance = 1e-13,
          .scale = std::sqrt(double(n)),
          .reference = [=](Host& h) { multiply<double, double>(h, n); }};
}

Case matmulHalf(Scale scale) {
  const int n = pick(scale, 64, 1024);
  const auto half = [](unsigned seed) {
    return [=](std::size_t i) { return toHalf(double(uniform(-1, 1, seed)(i))); };
  };
  return {.kernel = "matmulHalf",
          .arrays = {input<Half>(square(n), half(1)), input<Half>(square(n), half(2)), output<float>(square(n))},
          .arguments = {At{0}, At{1}, At{2}, n},
          .grid = tiles(n, 16, 16),
          .group = {16, 16},
          .work = 2.0 * n * double(square(n)),
          .unit = Unit::operations,
          .tolerance = 1e-5,
          .scale = std::sqrt(double(n)),
          .reference = [=](Host& h) { multiply<Half, float>(h, n); }};
}

Case gemv(const char* kernel, Scale scale, bool byRows) {
  const int n = pick(scale, 200, 8192);
  const auto edge = std::size_t(n);
  return {
      .kernel = kernel,
      .arrays = {input<float>(square(n), uniform(-1, 1)), input<float>(edge, uniform(-1, 1, 2)), output<float>(edge)},
      .arguments = {At{0}, At{1}, At{2}, n, n},
      .grid = groupsFor(byRows ? 32 * edge : edge),
      .work = 4.0 * double(square(n)),
      .tolerance = 1e-5,
      .scale = std::sqrt(double(n)),
      .reference = each(edge, [=](Host& h, std::size_t i) {
        double sum = 0;
        for (std::size_t k = 0; k < edge; ++k)
          sum += double(h.at<float>(0)[byRows ? i * edge + k : k * edge + i]) * double(h.at<float>(1)[k]);
        h.at<float>(2)[i] = float(sum);
      })};
}
Case gemvRows(Scale scale) {
  return gemv("gemvRows", scale, true);
}
Case gemvColumns(Scale scale) {
  return gemv("gemvColumns", scale, false);
}

Case transpose(const char* kernel, Scale scale, Extent3 group, std::uint32_t tile) {
  const int n = pick(scale, 100, 8192);
  return {.kernel = kernel,
          .arrays = {input<float>(square(n), uniform(-1, 1)), output<float>(square(n))},
          .arguments = {At{0}, At{1}, n},
          .grid = tiles(n, tile, tile),
          .group = group,
          .work = 8.0 * double(square(n)),
          .reference = each(square(n), [=](Host& h, std::size_t i) {
            const auto edge = std::size_t(n);
            h.at<float>(1)[i % edge * edge + i / edge] = h.at<float>(0)[i];
          })};
}
Case transposeNaive(Scale scale) {
  return transpose("transposeNaive", scale, {16, 16}, 16);
}
Case transposeTiled(Scale scale) {
  return transpose("transposeTiled", scale, {32, 8}, 32);
}

Case luStep(Scale scale) {
  const int n = pick(scale, 100, 4096), pivot = 3;
  return {.kernel = "luStep",
          .arrays = {input<float>(square(n), uniform(1, 2)), output<float>(square(n))},
          .arguments = {At{0}, At{1}, n, pivot},
          .grid = tiles(n, 32, 8),
          .group = {32, 8},
          .work = 8.0 * double(square(n)),
          .tolerance = 1e-5,
          .reference = each(square(n), [=](Host& h, std::size_t i) {
            const int row = int(i) / n, column = int(i) % n;
            const float* a = h.at<float>(0);
            const float factor = a[row * n + pivot] / a[pivot * n + pivot];
            float result = a[i];
            if (row > pivot && column == pivot) result = factor;
            if (row > pivot && column > pivot) result -= factor * a[pivot * n + column];
            h.at<float>(1)[i] = result;
          })};
}

Case floydWarshallStep(Scale scale) {
  const int n = pick(scale, 100, 4096), k = 7;
  return {.kernel = "floydWarshallStep",
          .arrays = {input<int>(square(n), below(1000)), output<int>(square(n))},
          .arguments = {At{0}, At{1}, n, k},
          .grid = tiles(n, 32, 8),
          .group = {32, 8},
          .work = 8.0 * double(square(n)),
          .reference = each(square(n), [=](Host& h, std::size_t i) {
            const int row = int(i) / n, column = int(i) % n;
            const int* in = h.at<int>(0);
            h.at<int>(1)[i] = std::min(in[i], in[row * n + k] + in[k * n + column]);
          })};
}

Case complexMatrices(Scale scale) {
  const int n = pick(scale, 1000, 1 << 20);
  const auto size = std::size_t(n);
  return {.kernel = "complexMatrices",
          .arrays = {input<float>(18 * size, uniform(-1, 1)), input<float>(18 * size, uniform(-1, 1, 2)),
                     output<float>(18 * size)},
          .arguments = {At{0}, At{1}, At{2}, n},
          .grid = groupsFor(size),
          .work = 216.0 * n,
          .tolerance = 1e-5,
          .reference = each(9 * size, [=](Host& h, std::size_t i) {
            const std::size_t place = i / size, m = i % size;
            const auto element = [&](std::size_t array, std::size_t index) {
              const float* at = h.at<float>(array) + 2 * (index * size + m);
              return std::complex<double>(double(at[0]), double(at[1]));
            };
            std::complex<double> sum = 0;
            for (std::size_t k = 0; k < 3; ++k) sum += element(0, place / 3 * 3 + k) * element(1, k * 3 + place % 3);
            h.at<float>(2)[2 * i] = float(sum.real());
            h.at<float>(2)[2 * i + 1] = float(sum.imag());
          })};
}

}  // namespace

std::vector<MakeCase> denseCases() {
  return {matmulNaive, matmulTiled,    matmulBlocked,  matmulDouble, matmulHalf,        gemvRows,
          gemvColumns, transposeNaive, transposeTiled, luStep,       floydWarshallStep, complexMatrices};
}

}  // namespace lathe::bench::gpu
