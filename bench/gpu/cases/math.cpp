// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/math.cu.
#include <complex>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

std::size_t lengthOf(Scale scale) {
  return pick<std::size_t>(scale, 3000, 1 << 23);
}

/// A kernel that computes `function` of each element of one array.
template <class T, class F>
Case oneToOne(const char* kernel, Scale scale, Array in, std::vector<Argument> arguments, F function) {
  const std::size_t n = lengthOf(scale);
  return {.kernel = kernel,
          .arrays = {std::move(in), output<T>(n)},
          .arguments = std::move(arguments),
          .grid = groupsFor(n),
          .work = 2.0 * sizeof(T) * double(n),
          .tolerance = sizeof(T) == 4 ? 1e-5 : 1e-13,
          .reference = each(n, [=](Host& h, std::size_t i) { h.at<T>(1)[i] = T(function(double(h.at<T>(0)[i]))); })};
}

Case powers(Scale scale) {
  const std::size_t n = lengthOf(scale);
  return {.kernel = "powers",
          .arrays = {input<float>(n, uniform(0.1, 10)), input<float>(n, uniform(-2.5, 3, 2)), output<float>(n)},
          .arguments = {At{0}, At{1}, At{2}, int(n)},
          .grid = groupsFor(n),
          .work = 12.0 * double(n),
          .tolerance = 1e-5,
          .reference = each(n, [](Host& h, std::size_t i) {
            const auto x = double(h.at<float>(0)[i]), y = double(h.at<float>(1)[i]);
            h.at<float>(2)[i] = float(std::pow(x, y) + std::pow(y + 3, 1.5));
          })};
}

Case logSumExp(Scale scale) {
  const std::size_t n = lengthOf(scale) / 4, terms = 16;
  return {.kernel = "logSumExp",
          .arrays = {input<float>(terms * n, uniform(-5, 5)), output<float>(n)},
          .arguments = {At{0}, At{1}, int(terms), int(n)},
          .grid = groupsFor(n),
          .work = 4.0 * double((terms + 1) * n),
          .tolerance = 1e-5,
          .reference = each(n, [=](Host& h, std::size_t i) {
            double sum = 0;
            for (std::size_t k = 0; k < terms; ++k) sum += std::exp(double(h.at<float>(0)[k * n + i]));
            h.at<float>(1)[i] = float(std::log(sum));
          })};
}

Case errorFunctions(Scale scale) {
  const std::size_t n = lengthOf(scale);
  return oneToOne<float>("errorFunctions", scale, input<float>(n, uniform(-3, 5)), {At{0}, At{1}, int(n)},
                         [](double x) { return std::erf(x) + std::erfc(x / 2) * std::lgamma(x + 4); });
}

Case waves(Scale scale) {
  const std::size_t n = lengthOf(scale);
  const int harmonics = 12;
  return oneToOne<float>("waves", scale, input<float>(n, uniform(-3, 3)), {At{0}, At{1}, harmonics, int(n)},
                         [](double phase) {
                           double sum = 0;
                           for (int k = 1; k <= harmonics; ++k)
                             sum += std::sin(k * phase) / k + std::cos(k * phase) / 2;
                           return sum;
                         });
}

Case polarAngles(Scale scale) {
  const std::size_t n = lengthOf(scale);
  return {.kernel = "polarAngles",
          .arrays = {input<float>(2 * n, uniform(-10, 10)), output<float>(2 * n)},
          .arguments = {At{0}, At{1}, int(n)},
          .grid = groupsFor(n),
          .work = 16.0 * double(n),
          .tolerance = 1e-5,
          .reference = each(n, [](Host& h, std::size_t i) {
            const std::complex<double> v(double(h.at<float>(0)[2 * i]), double(h.at<float>(0)[2 * i + 1]));
            h.at<float>(1)[2 * i] = float(std::abs(v));
            h.at<float>(1)[2 * i + 1] = float(std::arg(v));
          })};
}

Case doubleFunctions(Scale scale) {
  const std::size_t n = lengthOf(scale);
  return oneToOne<double>(
      "doubleFunctions", scale, input<double>(n, uniform(0, 20)), {At{0}, At{1}, int(n)},
      [](double x) { return std::exp(-x) * std::log(x + 1) + std::sin(x) / std::sqrt(x + 2) + std::pow(x, 0.3); });
}

Case polynomialDouble(Scale scale) {
  const std::size_t n = lengthOf(scale);
  const int degree = 20;
  return oneToOne<double>("polynomialDouble", scale, input<double>(n, uniform(-1, 1)), {At{0}, At{1}, degree, int(n)},
                          [](double x) {
                            double sum = 0, power = 1;
                            for (int k = 0; k <= degree; ++k, power *= x) sum += power / (k + 1);
                            return sum;
                          });
}

Case normalizeVectors(Scale scale) {
  const std::size_t n = lengthOf(scale);
  return {.kernel = "normalizeVectors",
          .arrays = {input<float>(4 * n, uniform(0.1, 2)), output<float>(4 * n)},
          .arguments = {At{0}, At{1}, int(n)},
          .grid = groupsFor(n),
          .work = 32.0 * double(n),
          .tolerance = 1e-5,
          .reference = each(n, [](Host& h, std::size_t i) {
            const float* v = h.at<float>(0) + 4 * i;
            const double length = std::hypot(double(v[0]), double(v[1]), double(v[2]));
            for (std::size_t k = 0; k < 3; ++k) h.at<float>(1)[4 * i + k] = float(double(v[k]) / length);
            h.at<float>(1)[4 * i + 3] = v[3];
          })};
}

}  // namespace

std::vector<MakeCase> mathCases() {
  return {powers, logSumExp, errorFunctions, waves, polarAngles, doubleFunctions, polynomialDouble, normalizeVectors};
}

}  // namespace lathe::bench::gpu
