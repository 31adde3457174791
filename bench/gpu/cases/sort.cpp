// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/sort.cu.
#include <algorithm>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

std::size_t lengthOf(Scale scale) {
  return pick<std::size_t>(scale, 4096, 1 << 25);
}
std::uint32_t key(std::size_t i) {
  return scramble(i, 31);
}

/// Sorts runs of `run` elements of array 0 into array 1.
template <class T>
void sortRuns(Host& host, std::size_t n, std::size_t run) {
  T* const out = host.at<T>(1);
  std::copy_n(host.at<T>(0), n, out);
  for (std::size_t i = 0; i < n; i += run) std::sort(out + i, out + i + run);
}

Case bitonicStep(Scale scale) {
  const std::size_t n = lengthOf(scale), j = 64, k = 256;
  return {.kernel = "bitonicStep",
          .arrays = {input<unsigned>(n, key), output<unsigned>(n)},
          .arguments = {At{0}, At{1}, int(j), int(k), int(n)},
          .grid = groupsFor(n),
          .work = 8.0 * double(n),
          .reference = each(n, [=](Host& h, std::size_t i) {
            const auto [least, most] = std::minmax({h.at<unsigned>(0)[i], h.at<unsigned>(0)[i ^ j]});
            const bool ascending = i / k % 2 == 0, first = i / j % 2 == 0;
            h.at<unsigned>(1)[i] = ascending == first ? least : most;
          })};
}

Case bitonicShared(Scale scale) {
  const std::size_t n = lengthOf(scale) / 2;
  return {.kernel = "bitonicShared",
          .arrays = {input<float>(n, uniform(-1, 1)), output<float>(n)},
          .arguments = {At{0}, At{1}},
          .grid = {std::uint32_t(n / 512)},
          .work = 8.0 * double(n),
          .reference = [=](Host& h) { sortRuns<float>(h, n, 512); }};
}

Case oddEvenShared(Scale scale) {
  const std::size_t n = lengthOf(scale) / 16;
  return {.kernel = "oddEvenShared",
          .arrays = {input<int>(n, key), output<int>(n)},
          .arguments = {At{0}, At{1}},
          .grid = {std::uint32_t(n / 256)},
          .work = 8.0 * double(n),
          .reference = [=](Host& h) { sortRuns<int>(h, n, 256); }};
}

Case mergeRanks(Scale scale) {
  const std::size_t n = lengthOf(scale) / 2, run = 512;
  return {.kernel = "mergeRanks",
          .arrays = {filled<unsigned>(n,
                                      [=](unsigned* out) {
                                        // Runs that rise by small steps, so that neither needs a sort.
                                        for (std::size_t i = 0; i < n; ++i)
                                          out[i] = (i % run == 0 ? 0 : out[i - 1]) + key(i) % 16;
                                      }),
                     output<unsigned>(n)},
          .arguments = {At{0}, At{1}, int(run), int(n)},
          .grid = groupsFor(n),
          .work = 8.0 * double(n),
          .reference = [=](Host& h) { sortRuns<unsigned>(h, n, 2 * run); }};
}

Case radixCount(Scale scale) {
  const std::size_t n = lengthOf(scale), groups = n / 1024;
  const unsigned shift = 8;
  return {.kernel = "radixCount",
          .arrays = {input<unsigned>(n, key), output<unsigned>(16 * groups)},
          .arguments = {At{0}, At{1}, shift, int(n)},
          .grid = {std::uint32_t(groups)},
          .work = 4.0 * double(n),
          .reference = [=](Host& h) {
            std::fill_n(h.at<unsigned>(1), 16 * groups, 0);
            for (std::size_t i = 0; i < n; ++i)
              ++h.at<unsigned>(1)[(h.at<unsigned>(0)[i] >> shift & 15) * groups + i / 1024];
          }};
}

Case splitByBit(Scale scale) {
  const std::size_t n = lengthOf(scale);
  const int bit = 11;
  return {.kernel = "splitByBit",
          .arrays = {input<unsigned>(n, key), output<unsigned>(n)},
          .arguments = {At{0}, At{1}, bit},
          .grid = groupsFor(n),
          .work = 8.0 * double(n),
          .reference = [=](Host& h) {
            unsigned* const out = h.at<unsigned>(1);
            std::copy_n(h.at<unsigned>(0), n, out);
            for (std::size_t i = 0; i < n; i += 256)
              std::stable_partition(out + i, out + i + 256, [](unsigned one) { return (one >> bit & 1) == 0; });
          }};
}

Case insertionSixteen(Scale scale) {
  const std::size_t n = lengthOf(scale) / 32;
  return {.kernel = "insertionSixteen",
          .arrays = {input<float>(16 * n, uniform(-1, 1)), output<float>(16 * n)},
          .arguments = {At{0}, At{1}, int(n)},
          .grid = groupsFor(n),
          .work = 128.0 * double(n),
          .reference = each(n, [=](Host& h, std::size_t i) {
            std::vector<float> keys;
            for (std::size_t k = 0; k < 16; ++k) keys.push_back(h.at<float>(0)[k * n + i]);
            std::ranges::sort(keys);
            for (std::size_t k = 0; k < 16; ++k) h.at<float>(1)[k * n + i] = keys[k];
          })};
}

}  // namespace

std::vector<MakeCase> sortCases() {
  return {bitonicStep, bitonicShared, oddEvenShared, mergeRanks, radixCount, splitByBit, insertionSixteen};
}

}  // namespace lathe::bench::gpu
