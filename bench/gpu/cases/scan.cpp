// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/scan.cu.
#include "cases.h"

namespace lathe::bench::gpu {
namespace {

constexpr std::size_t items = 256;

int lengthOf(Scale scale) {
  return pick(scale, 5000, 1 << 25);
}

Case scanDoubling(Scale scale) {
  const int n = lengthOf(scale);
  const auto size = std::size_t(n);
  return {.kernel = "scanDoubling",
          .arrays = {input<float>(size, uniform(0, 1)), output<float>(size)},
          .arguments = {At{0}, At{1}, n},
          .grid = groupsFor(size),
          .work = 8.0 * n,
          .tolerance = 1e-5,
          .reference = each(size, [](Host& h, std::size_t i) {
            h.at<float>(1)[i] = h.at<float>(0)[i] + (i % items == 0 ? 0 : h.at<float>(1)[i - 1]);
          })};
}

Case scanTree(Scale scale) {
  const int n = lengthOf(scale);
  const auto size = std::size_t(n);
  return {.kernel = "scanTree",
          .arrays = {input<int>(size, below(1000)), output<int>(size)},
          .arguments = {At{0}, At{1}, n},
          .grid = groupsFor(size, 512),
          .work = 8.0 * n,
          .reference = each(size, [](Host& h, std::size_t i) {
            h.at<int>(1)[i] = i % 512 == 0 ? 0 : h.at<int>(1)[i - 1] + h.at<int>(0)[i - 1];
          })};
}

Case scanShuffle(Scale scale) {
  const int n = lengthOf(scale);
  const auto size = std::size_t(n);
  const std::size_t groups = groupsFor(size).x;
  return {.kernel = "scanShuffle",
          .arrays = {input<int>(size, below(1000)), output<int>(size), output<int>(groups)},
          .arguments = {At{0}, At{1}, At{2}, n},
          .grid = groupsFor(size),
          .work = 8.0 * n,
          .reference = each(size, [](Host& h, std::size_t i) {
            h.at<int>(1)[i] = h.at<int>(0)[i] + (i % items == 0 ? 0 : h.at<int>(1)[i - 1]);
            h.at<int>(2)[i / items] = h.at<int>(1)[i];
          })};
}

Case compactBlock(Scale scale) {
  const int n = lengthOf(scale);
  const auto size = std::size_t(n);
  const std::size_t groups = groupsFor(size).x;
  return {.kernel = "compactBlock",
          .arrays = {input<int>(size, [](std::size_t i) { return int(scramble(i, 1) % 200) - 120; }), output<int>(size),
                     output<int>(groups)},
          .arguments = {At{0}, At{1}, At{2}, n},
          .grid = groupsFor(size),
          .work = 6.0 * n,
          .reference = each(size, [](Host& h, std::size_t i) {
            int& kept = h.at<int>(2)[i / items];
            if (i % items == 0) kept = 0;
            if (h.at<int>(0)[i] > 0) h.at<int>(1)[i / items * items + std::size_t(kept++)] = h.at<int>(0)[i];
          })};
}

Case scanSegments(Scale scale) {
  const int n = lengthOf(scale);
  const auto size = std::size_t(n);
  return {.kernel = "scanSegments",
          .arrays = {input<float>(size, uniform(0, 1)),
                     input<std::uint8_t>(size, [](std::size_t i) { return scramble(i, 9) % 20 == 0; }),
                     output<float>(size)},
          .arguments = {At{0}, At{1}, At{2}, n},
          .grid = groupsFor(size),
          .work = 9.0 * n,
          .tolerance = 1e-5,
          .reference = each(size, [](Host& h, std::size_t i) {
            const bool head = i % items == 0 || h.at<std::uint8_t>(1)[i] != 0;
            h.at<float>(2)[i] = h.at<float>(0)[i] + (head ? 0 : h.at<float>(2)[i - 1]);
          })};
}

Case histogramGlobal(Scale scale) {
  const int n = lengthOf(scale), shift = 16;
  return {.kernel = "histogramGlobal",
          .arrays = {input<unsigned>(std::size_t(n), [](std::size_t i) { return scramble(i, 1); }),
                     inOut<unsigned>(1 << 16, below(100))},
          .arguments = {At{0}, At{1}, n, shift},
          .grid = {pick(scale, 4u, 1056u)},
          .work = 4.0 * n,
          .reference =
              each(std::size_t(n), [](Host& h, std::size_t i) { ++h.at<unsigned>(1)[h.at<unsigned>(0)[i] >> shift]; })};
}

Case histogramShared(Scale scale) {
  const int n = lengthOf(scale);
  return {.kernel = "histogramShared",
          .arrays = {input<std::uint8_t>(4 * std::size_t(n), below(256)), inOut<unsigned>(256, below(100))},
          .arguments = {At{0}, At{1}, n},
          .grid = {pick(scale, 4u, 1056u)},
          .work = 4.0 * n,
          .reference =
              each(4 * std::size_t(n), [](Host& h, std::size_t i) { ++h.at<unsigned>(1)[h.at<std::uint8_t>(0)[i]]; })};
}

}  // namespace

std::vector<MakeCase> scanCases() {
  return {scanDoubling, scanTree, scanShuffle, compactBlock, scanSegments, histogramGlobal, histogramShared};
}

}  // namespace lathe::bench::gpu
