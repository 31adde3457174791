// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/sparse.cu. Rows have 4 to 28 entries; columns lie near the diagonal or anywhere.
#include <algorithm>
#include <limits>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

int rowLength(std::size_t row) {
  return 4 + int(scramble(row, 77) % 25);
}
/// The first entry of each row, and the end of the last.
void writeOffsets(int* out, std::size_t rows) {
  out[0] = 0;
  for (std::size_t row = 0; row < rows; ++row) out[row + 1] = out[row] + rowLength(row);
}
std::size_t entryCount(std::size_t rows) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < rows; ++row) count += std::size_t(rowLength(row));
  return count;
}
/// Columns of each row, ascending and distinct.
void writeColumns(int* out, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    const int length = rowLength(row), all = int(rows);
    // Steps that stay under rows / length keep them distinct.
    const int span = scramble(row, 5) % 4 == 0 ? all / length : std::min(all / length, 64);
    const int first = std::clamp(int(row) - span * length / 2, 0, all - span * length);
    for (int k = 0; k < length; ++k)
      *out++ = first + k * span + int(scramble(row * 32 + std::size_t(k), 6) % unsigned(span));
  }
}
Array offsets(std::size_t rows) {
  return filled<int>(rows + 1, [=](int* out) { writeOffsets(out, rows); });
}
Array columns(std::size_t rows, std::size_t entries) {
  return filled<int>(entries, [=](int* out) { writeColumns(out, rows); });
}

std::size_t rowsOf(Scale scale) {
  return pick<std::size_t>(scale, 1000, 1 << 22);
}

Case csr(const char* kernel, Scale scale, std::size_t itemsPerRow) {
  const std::size_t rows = rowsOf(scale), entries = entryCount(rows);
  return {.kernel = kernel,
          .arrays = {offsets(rows), columns(rows, entries), input<float>(entries, uniform(-1, 1)),
                     input<float>(rows, uniform(-1, 1, 2)), output<float>(rows)},
          .arguments = {At{0}, At{1}, At{2}, At{3}, At{4}, int(rows)},
          .grid = groupsFor(rows * itemsPerRow),
          .work = 8.0 * double(entries) + 12.0 * double(rows),
          .tolerance = 1e-5,
          .reference = each(rows, [](Host& h, std::size_t row) {
            double sum = 0;
            for (int i = h.at<int>(0)[row]; i < h.at<int>(0)[row + 1]; ++i)
              sum += double(h.at<float>(2)[i]) * double(h.at<float>(3)[h.at<int>(1)[i]]);
            h.at<float>(4)[row] = float(sum);
          })};
}
Case csrRowPerThread(Scale scale) {
  return csr("csrRowPerThread", scale, 1);
}
Case csrRowPerWarp(Scale scale) {
  return csr("csrRowPerWarp", scale, 32);
}

Case ellRows(Scale scale) {
  const std::size_t rows = rowsOf(scale), width = 16;
  const auto column = [=](std::size_t i) {
    return scramble(i, 3) % 8 == 0 ? -1 : int((i % rows + scramble(i, 4) % 512) % rows);
  };
  return {.kernel = "ellRows",
          .arrays = {input<int>(rows * width, column), input<double>(rows * width, uniform(-1, 1)),
                     input<double>(rows, uniform(-1, 1, 2)), output<double>(rows)},
          .arguments = {At{0}, At{1}, At{2}, At{3}, int(rows), int(width)},
          .grid = groupsFor(rows),
          .work = double(rows) * (12.0 * double(width) + 16),
          .tolerance = 1e-13,
          .reference = each(rows, [=](Host& h, std::size_t row) {
            double sum = 0;
            for (std::size_t i = row; i < rows * width; i += rows)
              if (h.at<int>(0)[i] >= 0) sum += h.at<double>(1)[i] * h.at<double>(2)[h.at<int>(0)[i]];
            h.at<double>(3)[row] = sum;
          })};
}

Case entriesScatter(Scale scale) {
  const std::size_t rows = rowsOf(scale) / 8, entries = 16 * rows;
  return {.kernel = "entriesScatter",
          .arrays = {input<int>(entries, below(std::uint32_t(rows), 8)),
                     input<int>(entries, below(std::uint32_t(rows), 9)), input<float>(entries, uniform(-1, 1)),
                     input<float>(rows, uniform(-1, 1, 2)), inOut<float>(rows, uniform(-1, 1, 3))},
          .arguments = {At{0}, At{1}, At{2}, At{3}, At{4}, int(entries)},
          .grid = groupsFor(entries),
          .work = 12.0 * double(entries),
          .tolerance = 1e-4,
          .reference = each(entries, [](Host& h, std::size_t i) {
            h.at<float>(4)[h.at<int>(0)[i]] += h.at<float>(2)[i] * h.at<float>(3)[h.at<int>(1)[i]];
          })};
}

Case breadthFirstStep(Scale scale) {
  const std::size_t nodes = rowsOf(scale), edges = entryCount(nodes);
  // A third was reached, a sixth of all in the step before.
  const auto level = [](std::size_t i) {
    const unsigned draw = scramble(i, 12) % 6;
    return draw == 0 ? 5 : draw == 1 ? 3 : -1;
  };
  return {.kernel = "breadthFirstStep",
          .arrays = {offsets(nodes), columns(nodes, edges), input<int>(nodes, level), inOut<int>(nodes, level),
                     inOut<int>(1, [](std::size_t) { return 0; })},
          .arguments = {At{0}, At{1}, At{2}, At{3}, At{4}, 5, int(nodes)},
          .grid = groupsFor(nodes),
          .work = 8.0 * double(nodes) + double(edges) * 8 / 6,
          .reference = each(nodes, [](Host& h, std::size_t node) {
            if (h.at<int>(2)[node] != 5) return;
            for (int i = h.at<int>(0)[node]; i < h.at<int>(0)[node + 1]; ++i) {
              if (h.at<int>(2)[h.at<int>(1)[i]] >= 0) continue;
              h.at<int>(3)[h.at<int>(1)[i]] = 6;
              *h.at<int>(4) = 1;
            }
          })};
}

Case pageRankStep(Scale scale) {
  const std::size_t nodes = rowsOf(scale), edges = entryCount(nodes);
  const float damping = 0.85f;
  return {.kernel = "pageRankStep",
          .arrays = {offsets(nodes), columns(nodes, edges),
                     input<int>(nodes, [](std::size_t i) { return 1 + int(scramble(i, 3) % 40); }),
                     input<float>(nodes, uniform(0, 1)), output<float>(nodes)},
          .arguments = {At{0}, At{1}, At{2}, At{3}, At{4}, damping, int(nodes)},
          .grid = groupsFor(nodes),
          .work = 12.0 * double(edges) + 8.0 * double(nodes),
          .tolerance = 1e-5,
          .reference = each(nodes, [=](Host& h, std::size_t node) {
            double sum = 0;
            for (int i = h.at<int>(0)[node]; i < h.at<int>(0)[node + 1]; ++i) {
              const int source = h.at<int>(1)[i];
              sum += double(h.at<float>(3)[source]) / h.at<int>(2)[source];
            }
            h.at<float>(4)[node] = float((1 - double(damping)) / double(nodes) + double(damping) * sum);
          })};
}

Case shortestPathRelax(Scale scale) {
  const std::size_t nodes = rowsOf(scale), edges = entryCount(nodes);
  const int far = std::numeric_limits<int>::max();
  const auto distance = [=](std::size_t i) { return scramble(i, 4) % 2 == 0 ? far : int(scramble(i, 5) % 10000); };
  return {.kernel = "shortestPathRelax",
          .arrays = {offsets(nodes), columns(nodes, edges), input<int>(edges, below(100)), input<int>(nodes, distance),
                     inOut<int>(nodes, distance)},
          .arguments = {At{0}, At{1}, At{2}, At{3}, At{4}, int(nodes)},
          .grid = groupsFor(nodes),
          .work = 8.0 * double(nodes) + double(edges) * 12 / 2,
          .reference = each(nodes, [=](Host& h, std::size_t node) {
            const int here = h.at<int>(3)[node];
            if (here == far) return;
            for (int i = h.at<int>(0)[node]; i < h.at<int>(0)[node + 1]; ++i) {
              int& there = h.at<int>(4)[h.at<int>(1)[i]];
              there = std::min(there, here + h.at<int>(2)[i]);
            }
          })};
}

Case countTriangles(Scale scale) {
  const std::size_t nodes = rowsOf(scale) / 8, edges = entryCount(nodes);
  return {.kernel = "countTriangles",
          .arrays = {offsets(nodes), columns(nodes, edges), output<int>(nodes)},
          .arguments = {At{0}, At{1}, At{2}, int(nodes)},
          .grid = groupsFor(nodes),
          .work = 4.0 * double(edges),
          .reference = each(nodes, [](Host& h, std::size_t node) {
            const int* first = h.at<int>(0);
            const int* list = h.at<int>(1);
            int common = 0;
            for (int i = first[node]; i < first[node + 1]; ++i)
              for (int j = first[list[i]]; j < first[list[i] + 1]; ++j)
                common += std::binary_search(list + first[node], list + first[node + 1], list[j]);
            h.at<int>(2)[node] = common;
          })};
}

}  // namespace

std::vector<MakeCase> sparseCases() {
  return {csrRowPerThread,  csrRowPerWarp, ellRows,           entriesScatter,
          breadthFirstStep, pageRankStep,  shortestPathRelax, countTriangles};
}

}  // namespace lathe::bench::gpu
