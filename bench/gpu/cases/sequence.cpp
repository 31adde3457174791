// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/sequence.cu.
#include <algorithm>
#include <array>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

auto letters(unsigned count, std::uint32_t seed) {
  return [=](std::size_t i) { return 'a' + scramble(i, seed) % count; };
}

Case needlemanWunschDiagonal(Scale scale) {
  const int n = pick(scale, 3000, 1 << 23);
  const auto size = std::size_t(n);
  const auto score = [](std::uint32_t seed) {
    return [=](std::size_t i) { return int(scramble(i, seed) % 100) - 50; };
  };
  return {.kernel = "needlemanWunschDiagonal",
          .arrays = {input<char>(size, letters(4, 1)), input<char>(size, letters(4, 2)), input<int>(size + 1, score(3)),
                     input<int>(size + 1, score(4)), output<int>(size + 1)},
          .arguments = {At{0}, At{1}, At{2}, At{3}, At{4}, n + 1, n},
          .grid = groupsFor(size),
          .work = 14.0 * n,
          .reference = each(size, [=](Host& h, std::size_t i) {
            const std::size_t column = size - i - 1;
            const int match = h.at<char>(0)[i] == h.at<char>(1)[column] ? 3 : -2;
            h.at<int>(4)[i + 1] = std::max({h.at<int>(2)[i] + match, h.at<int>(3)[i] - 1, h.at<int>(3)[i + 1] - 1});
          })};
}

Case editDistances(Scale scale) {
  constexpr std::size_t length = 32;
  const std::size_t n = pick<std::size_t>(scale, 500, 1 << 19);
  return {.kernel = "editDistances",
          .arrays = {input<std::uint8_t>(length * n, letters(4, 1)), input<std::uint8_t>(length * n, letters(4, 2)),
                     output<int>(n)},
          .arguments = {At{0}, At{1}, At{2}, int(n)},
          .grid = groupsFor(n),
          .work = double(length * length * n),
          .unit = Unit::operations,
          .reference = each(n, [=](Host& h, std::size_t i) {
            std::array<std::array<int, length + 1>, length + 1> table{};
            for (std::size_t r = 0; r <= length; ++r)
              for (std::size_t c = 0; c <= length; ++c) {
                if (r == 0 || c == 0) {
                  table[r][c] = int(r + c);
                  continue;
                }
                const bool equal = h.at<std::uint8_t>(0)[(r - 1) * n + i] == h.at<std::uint8_t>(1)[(c - 1) * n + i];
                table[r][c] =
                    std::min({table[r - 1][c - 1] + (equal ? 0 : 1), table[r - 1][c] + 1, table[r][c - 1] + 1});
              }
            h.at<int>(2)[i] = table[length][length];
          })};
}

Case longestCommonBits(Scale scale) {
  constexpr std::size_t first = 64, second = 96;
  const std::size_t n = pick<std::size_t>(scale, 300, 1 << 20);
  return {.kernel = "longestCommonBits",
          .arrays = {input<std::uint8_t>(first * n, below(4, 1)), input<std::uint8_t>(second * n, below(4, 2)),
                     output<int>(n)},
          .arguments = {At{0}, At{1}, At{2}, int(second), int(n)},
          .grid = groupsFor(n),
          .work = double((first + second) * n),
          .reference = each(n, [=](Host& h, std::size_t i) {
            std::array<int, first + 1> row{};
            for (std::size_t k = 0; k < second; ++k) {
              const std::array<int, first + 1> above = row;
              for (std::size_t j = 1; j <= first; ++j)
                row[j] = h.at<std::uint8_t>(0)[(j - 1) * n + i] == h.at<std::uint8_t>(1)[k * n + i]
                             ? above[j - 1] + 1
                             : std::max(above[j], row[j - 1]);
            }
            h.at<int>(2)[i] = row[first];
          })};
}

Case smithWaterman(Scale scale) {
  constexpr std::size_t length = 128;
  const std::size_t pairs = pick<std::size_t>(scale, 10, 32768);
  return {.kernel = "smithWaterman",
          .arrays = {input<char>(length * pairs, letters(4, 1)), input<char>(length * pairs, letters(4, 2)),
                     inOut<int>(pairs, [](std::size_t) { return 0; })},
          .arguments = {At{0}, At{1}, At{2}},
          .grid = {std::uint32_t(pairs)},
          .group = {length},
          .work = double(length * length * pairs),
          .unit = Unit::operations,
          .reference = each(pairs, [](Host& h, std::size_t pair) {
            std::array<std::array<int, length + 1>, length + 1> table{};
            for (std::size_t r = 1; r <= length; ++r)
              for (std::size_t c = 1; c <= length; ++c) {
                const bool equal = h.at<char>(0)[pair * length + r - 1] == h.at<char>(1)[pair * length + c - 1];
                table[r][c] =
                    std::max({0, table[r - 1][c - 1] + (equal ? 2 : -1), table[r - 1][c] - 1, table[r][c - 1] - 1});
                h.at<int>(2)[pair] = std::max(h.at<int>(2)[pair], table[r][c]);
              }
          })};
}

Case knapsackRow(Scale scale) {
  const int capacity = pick(scale, 5000, 1 << 25), weight = 77, value = 13;
  const std::size_t places = std::size_t(capacity) + 1;
  return {.kernel = "knapsackRow",
          .arrays = {input<int>(places, [](std::size_t i) { return int(i / 5 + scramble(i, 1) % 40); }),
                     output<int>(places)},
          .arguments = {At{0}, At{1}, weight, value, capacity},
          .grid = groupsFor(places),
          .work = 8.0 * capacity,
          .reference = each(places, [=](Host& h, std::size_t i) {
            const int* last = h.at<int>(0) + i;
            h.at<int>(1)[i] = int(i) < weight ? last[0] : std::max(last[0], last[-weight] + value);
          })};
}

Case viterbiStep(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 500, 1 << 20), states = pick<std::size_t>(scale, 5, 16);
  return {.kernel = "viterbiStep",
          .arrays = {input<float>(states * n, uniform(-9, 0)), input<float>(states * states, uniform(-5, 0, 2)),
                     input<float>(states * n, uniform(-5, 0, 3)), output<float>(states * n), output<int>(states * n)},
          .arguments = {At{0}, At{1}, At{2}, At{3}, At{4}, int(states), int(n)},
          .grid = {groupsFor(n).x, std::uint32_t(states)},
          .work = double(states * n) * 16,
          .reference = each(states * n, [=](Host& h, std::size_t i) {
            float best = -1e30f;
            for (std::size_t s = 0; s < states; ++s) {
              const float score = h.at<float>(0)[s * n + i % n] + h.at<float>(1)[s * states + i / n];
              if (score <= best) continue;
              best = score;
              h.at<int>(4)[i] = int(s);
            }
            h.at<float>(3)[i] = best + h.at<float>(2)[i];
          })};
}

}  // namespace

std::vector<MakeCase> sequenceCases() {
  return {needlemanWunschDiagonal, editDistances, longestCommonBits, smithWaterman, knapsackRow, viterbiStep};
}

}  // namespace lathe::bench::gpu
