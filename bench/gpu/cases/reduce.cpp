// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/reduce.cu.
#include "cases.h"

namespace lathe::bench::gpu {
namespace {

constexpr std::uint32_t items = 256;

int lengthOf(Scale scale) {
  return pick(scale, 9000, 1 << 26);
}
std::uint32_t groupsOf(Scale scale) {
  return pick(scale, 3u, 1056u);
}

/// The group that takes element i, of a grid that walks the array.
std::size_t groupOf(std::size_t i, std::uint32_t groups) {
  return i / items % groups;
}

Case sum(const char* kernel, Scale scale) {
  const int n = lengthOf(scale);
  const std::uint32_t groups = groupsOf(scale);
  return {.kernel = kernel,
          .arrays = {input<float>(std::size_t(n), uniform(0, 1)), output<float>(groups)},
          .arguments = {At{0}, At{1}, n},
          .grid = {groups},
          .work = 4.0 * n,
          .tolerance = 1e-5,
          .reference = [=](Host& h) {
            std::vector<double> sums(groups);
            for (std::size_t i = 0; i < std::size_t(n); ++i) sums[groupOf(i, groups)] += double(h.at<float>(0)[i]);
            for (std::size_t i = 0; i < groups; ++i) h.at<float>(1)[i] = float(sums[i]);
          }};
}
Case sumTree(Scale scale) {
  return sum("sumTree", scale);
}
Case sumShuffle(Scale scale) {
  return sum("sumShuffle", scale);
}

Case sumAtomic(Scale scale) {
  const int n = lengthOf(scale);
  return {.kernel = "sumAtomic",
          .arrays = {input<float>(std::size_t(n), uniform(0, 1)), inOut<float>(1, [](std::size_t) { return 1; })},
          .arguments = {At{0}, At{1}, n / 4},
          .grid = {groupsOf(scale)},
          .work = 4.0 * n,
          .tolerance = 1e-4,
          .reference = [=](Host& h) {
            double total = 1;
            for (int i = 0; i < n; ++i) total += double(h.at<float>(0)[i]);
            *h.at<float>(1) = float(total);
          }};
}

Case dotDouble(Scale scale) {
  const int n = lengthOf(scale) / 2;
  const std::uint32_t groups = groupsOf(scale);
  return {.kernel = "dotDouble",
          .arrays = {input<double>(std::size_t(n), uniform(0, 1)), input<double>(std::size_t(n), uniform(0, 1, 2)),
                     output<double>(groups)},
          .arguments = {At{0}, At{1}, At{2}, n},
          .grid = {groups},
          .work = 16.0 * n,
          .tolerance = 1e-12,
          .reference = [=](Host& h) {
            for (std::size_t i = 0; i < groups; ++i) h.at<double>(2)[i] = 0;
            for (std::size_t i = 0; i < std::size_t(n); ++i)
              h.at<double>(2)[groupOf(i, groups)] += h.at<double>(0)[i] * h.at<double>(1)[i];
          }};
}

Case maxPlace(Scale scale) {
  const int n = lengthOf(scale);
  const std::uint32_t groups = groupsOf(scale);
  return {.kernel = "maxPlace",
          .arrays = {input<float>(std::size_t(n), uniform(-1, 1)), output<float>(groups), output<int>(groups)},
          .arguments = {At{0}, At{1}, At{2}, n},
          .grid = {groups},
          .work = 4.0 * n,
          .reference = [=](Host& h) {
            for (std::size_t i = 0; i < groups; ++i) h.at<float>(1)[i] = -2;
            for (std::size_t i = 0; i < std::size_t(n); ++i) {
              const std::size_t group = groupOf(i, groups);
              if (h.at<float>(0)[i] <= h.at<float>(1)[group]) continue;
              h.at<float>(1)[group] = h.at<float>(0)[i];
              h.at<int>(2)[group] = int(i);
            }
          }};
}

Case countBallot(Scale scale) {
  const int n = lengthOf(scale), limit = 300;
  return {.kernel = "countBallot",
          .arrays = {input<int>(std::size_t(n), below(1000)), inOut<std::uint64_t>(1, [](std::size_t) { return 7; })},
          .arguments = {At{0}, At{1}, limit, n},
          .grid = {groupsOf(scale)},
          .work = 4.0 * n,
          .reference = each(std::size_t(n), [=](Host& h, std::size_t i) {
            *h.at<std::uint64_t>(1) += h.at<int>(0)[i] < limit ? 1 : 0;
          })};
}

Case rowVariance(Scale scale) {
  const std::size_t rows = pick<std::size_t>(scale, 5, 16384), columns = pick<std::size_t>(scale, 700, 4096);
  return {.kernel = "rowVariance",
          .arrays = {input<float>(rows * columns, uniform(-1, 1)), output<float>(rows)},
          .arguments = {At{0}, At{1}, int(columns)},
          .grid = {std::uint32_t(rows)},
          .work = 4.0 * double(rows * columns),
          .tolerance = 1e-5,
          .reference = each(rows, [=](Host& h, std::size_t row) {
            double sum = 0, squares = 0;
            for (std::size_t i = row * columns; i < (row + 1) * columns; ++i) {
              const auto value = double(h.at<float>(0)[i]);
              sum += value;
              squares += value * value;
            }
            const double mean = sum / double(columns);
            h.at<float>(1)[row] = float(squares / double(columns) - mean * mean);
          })};
}

}  // namespace

std::vector<MakeCase> reduceCases() {
  return {sumTree, sumShuffle, sumAtomic, dotDouble, maxPlace, countBallot, rowVariance};
}

}  // namespace lathe::bench::gpu
