// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/memory.cu.
#include <algorithm>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

int lengthOf(Scale scale) {
  return pick(scale, 5000, 1 << 26);
}

void copyElements(Host& host, int n) {
  std::copy_n(host.at<float>(0), n, host.at<float>(1));
}

Case copyOne(Scale scale) {
  const int n = lengthOf(scale);
  const auto size = std::size_t(n);
  return {.kernel = "copyOne",
          .arrays = {input<float>(size, uniform(-1, 1)), output<float>(size)},
          .arguments = {At{0}, At{1}, n},
          .grid = groupsFor(size),
          .work = 8.0 * n,
          .reference = [=](Host& h) { copyElements(h, n); }};
}

Case copyTwo(Scale scale) {
  const int n = lengthOf(scale);
  const auto size = std::size_t(n);
  return {.kernel = "copyTwo",
          .arrays = {input<float>(size, uniform(-1, 1)), output<float>(size)},
          .arguments = {At{0}, At{1}, n},
          .grid = groupsFor(size, 512),
          .work = 8.0 * n,
          .reference = [=](Host& h) { copyElements(h, n); }};
}

Case copyFour(Scale scale) {
  const int n = lengthOf(scale);
  const auto size = std::size_t(n);
  return {.kernel = "copyFour",
          .arrays = {input<float>(size, uniform(-1, 1)), output<float>(size)},
          .arguments = {At{0}, At{1}, n / 4},
          .grid = groupsFor(size / 4),
          .work = 8.0 * n,
          .reference = [=](Host& h) { copyElements(h, n); }};
}

Case scaleOne(Scale scale) {
  const int n = lengthOf(scale);
  const auto size = std::size_t(n);
  return {.kernel = "scaleOne",
          .arrays = {input<float>(size, uniform(-1, 1)), output<float>(size)},
          .arguments = {At{0}, At{1}, 1.5f, n},
          .grid = groupsFor(size),
          .work = 8.0 * n,
          .reference = [=](Host& h) {
            for (int i = 0; i < n; ++i) h.at<float>(1)[i] = 1.5f * h.at<float>(0)[i];
          }};
}

Case triadOne(Scale scale) {
  const int n = lengthOf(scale);
  const auto size = std::size_t(n);
  return {.kernel = "triadOne",
          .arrays = {input<float>(size, uniform(-1, 1)), input<float>(size, uniform(-1, 1, 2)), output<float>(size)},
          .arguments = {At{0}, At{1}, At{2}, 0.75f, n},
          .grid = groupsFor(size),
          .work = 12.0 * n,
          .tolerance = 1e-6,
          .reference = [=](Host& h) {
            for (int i = 0; i < n; ++i) h.at<float>(2)[i] = h.at<float>(0)[i] + 0.75f * h.at<float>(1)[i];
          }};
}

Case saxpyStride(Scale scale) {
  const int n = lengthOf(scale);
  const auto size = std::size_t(n);
  return {.kernel = "saxpyStride",
          .arrays = {input<float>(size, uniform(-1, 1)), input<float>(size, uniform(-1, 1, 2)), output<float>(size)},
          .arguments = {n, 2.5f, At{0}, At{1}, At{2}},
          .grid = {pick(scale, 3u, 2112u)},
          .work = 12.0 * n,
          .tolerance = 1e-6,
          .reference = [=](Host& h) {
            for (int i = 0; i < n; ++i) h.at<float>(2)[i] = 2.5f * h.at<float>(0)[i] + h.at<float>(1)[i];
          }};
}

Case addDouble(Scale scale) {
  const auto n = std::size_t(lengthOf(scale)) / 2;
  return {.kernel = "addDouble",
          .arrays = {input<double>(n, uniform(-1, 1)), input<double>(n, uniform(-1, 1, 2)), output<double>(n)},
          .arguments = {At{0}, At{1}, At{2}, n},
          .grid = groupsFor(n),
          .work = 24.0 * double(n),
          .reference = [=](Host& h) {
            for (std::size_t i = 0; i < n; ++i) h.at<double>(2)[i] = h.at<double>(0)[i] + h.at<double>(1)[i];
          }};
}

Case addInt4(Scale scale) {
  const int n = lengthOf(scale) / 4;
  const auto size = std::size_t(n);
  return {
      .kernel = "addInt4",
      .arrays = {input<int>(4 * size, below(1000000)), input<int>(4 * size, below(1000000, 2)), output<int>(4 * size)},
      .arguments = {At{0}, At{1}, At{2}, n},
      .grid = groupsFor(size),
      .work = 48.0 * n,
      .reference = [=](Host& h) {
        for (int i = 0; i < 4 * n; ++i) h.at<int>(2)[i] = h.at<int>(0)[i] + h.at<int>(1)[i];
      }};
}

Case brightenUchar4(Scale scale) {
  const int n = lengthOf(scale);
  const auto size = std::size_t(n);
  return {.kernel = "brightenUchar4",
          .arrays = {input<std::uint8_t>(4 * size, below(256)), output<std::uint8_t>(4 * size)},
          .arguments = {At{0}, At{1}, 80, n},
          .grid = groupsFor(size),
          .work = 8.0 * n,
          .reference = [=](Host& h) {
            const auto* in = h.at<std::uint8_t>(0);
            auto* out = h.at<std::uint8_t>(1);
            for (int i = 0; i < 4 * n; ++i) out[i] = i % 4 == 3 ? in[i] : std::uint8_t(std::min(255, in[i] * 80 / 64));
          }};
}

Case gatherIndexed(Scale scale) {
  const int n = lengthOf(scale) / 2;
  const auto size = std::size_t(n);
  return {
      .kernel = "gatherIndexed",
      .arrays = {input<float>(size, uniform(-1, 1)), input<int>(size, below(std::uint32_t(n))), output<float>(size)},
      .arguments = {At{0}, At{1}, At{2}, n},
      .grid = groupsFor(size),
      .work = 12.0 * n,
      .reference = [=](Host& h) {
        for (int i = 0; i < n; ++i) h.at<float>(2)[i] = h.at<float>(0)[h.at<int>(1)[i]];
      }};
}

Case moveRecords(Scale scale) {
  const int n = lengthOf(scale) / 8;
  const auto size = std::size_t(n);
  return {.kernel = "moveRecords",
          .arrays = {input<float>(8 * size, uniform(1, 2)), output<float>(8 * size)},
          .arguments = {At{0}, At{1}, 0.125f, n},
          .grid = groupsFor(size),
          .work = 64.0 * n,
          .tolerance = 1e-6,
          .reference = [=](Host& h) {
            std::copy_n(h.at<float>(0), 8 * n, h.at<float>(1));
            for (int i = 0; i < n; ++i)
              for (int axis = 0; axis < 3; ++axis)
                h.at<float>(1)[8 * i + axis] += 0.125f * h.at<float>(0)[8 * i + 4 + axis];
          }};
}

Case splitComponents(Scale scale) {
  const int n = lengthOf(scale) / 2;
  const auto size = std::size_t(n);
  return {
      .kernel = "splitComponents",
      .arrays = {input<float>(3 * size, uniform(-1, 1)), output<float>(size), output<float>(size), output<float>(size)},
      .arguments = {At{0}, At{1}, At{2}, At{3}, n},
      .grid = groupsFor(size),
      .work = 24.0 * n,
      .reference = [=](Host& h) {
        for (int i = 0; i < 3 * n; ++i) h.at<float>(std::size_t(1 + i % 3))[i / 3] = h.at<float>(0)[i];
      }};
}

}  // namespace

std::vector<MakeCase> memoryCases() {
  return {copyOne,   copyTwo, copyFour,       scaleOne,      triadOne,    saxpyStride,
          addDouble, addInt4, brightenUchar4, gatherIndexed, moveRecords, splitComponents};
}

}  // namespace lathe::bench::gpu
