// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dense and sparse linear algebra, graphs.
#include "../reference/reference.h"
#include "cases.h"

namespace lathe::bench {
namespace {

constexpr CpuCase cases[] = {
    {"matmul",
     "",
     {256, 512, 1024},
     [](unsigned n, unsigned) {
       return sums(squares(n, {matmulTile, matmulTile}, {n * n, n * n, n * n},
                           {value(n), buffer(0), buffer(1), buffer(2)}, 1e-4),
                   n);
     }},
    {"matvecRows",
     R"(
KERNEL matvecRows(unsigned n, IN matrix, IN vector, OUT out) {
  SHARED float part[256];
  const unsigned x = X, row = GROUP * n;
  float sum = 0;
  for (unsigned i = x; i < n; i += 256) sum += matrix[row + i] * vector[i];
  part[x] = sum;
  BARRIER;
  for (unsigned half_ = 128; half_ > 0; half_ /= 2) {
    if (x < half_) part[x] += part[x + half_];
    BARRIER;
  }
  if (x == 0) out[GROUP] = part[0];
}
)",
     {256, 1024, 4096},
     [](unsigned n, unsigned) {
       return sums(rows(n, lineGroup, {n * n, n, n}, {value(n), buffer(0), buffer(1), buffer(2)}, 1e-4), n);
     }},
    {"tridiagonal",
     R"(
KERNEL tridiagonal(unsigned n, IN lower, IN upper, IN right, OUT out) {
  const unsigned i = GROUP * 256 + X;
  if (i >= n) return;
  float c[32], d[32];
  c[0] = 0.25f * upper[i];
  d[0] = 0.25f * right[i];
  for (unsigned k = 1; k < 32; ++k) {
    const float below = lower[k * n + i], scale = 1.0f / (4.0f - below * c[k - 1]);
    c[k] = upper[k * n + i] * scale;
    d[k] = (right[k * n + i] - below * d[k - 1]) * scale;
  }
  float x = d[31];
  out[31 * n + i] = x;
  for (unsigned k = 31; k > 0; --k) {
    x = d[k - 1] - c[k - 1] * x;
    out[(k - 1) * n + i] = x;
  }
}
)",
     {1u << 12, 1u << 15, 1u << 18},
     [](unsigned n, unsigned) {
       return lines(n, {32 * n, 32 * n, 32 * n, 32 * n}, {value(n), buffer(0), buffer(1), buffer(2), buffer(3)}, 1e-4);
     }},
    {"spmv",
     R"(
KERNEL spmv(unsigned n, IN values, IN places, IN vector, OUT out) {
  const unsigned row = GROUP * 256 + X;
  if (row >= n) return;
  float sum = 0;
  for (unsigned k = 0; k < 16; ++k) {
    const unsigned column = (unsigned)((places[k * n + row] + 1.0f) * 0.5f * (float)(n - 1));
    sum += values[k * n + row] * vector[column];
  }
  out[row] = sum;
}
)",
     {1u << 14, 1u << 18, 1u << 20},
     [](unsigned n, unsigned) {
       return lines(n, {spmvWidth * n, spmvWidth * n, n, n}, {value(n), buffer(0), buffer(1), buffer(2), buffer(3)},
                    1e-4);
     }},
    {"labelStep",
     R"(
KERNEL labelStep(unsigned n, IN places, IN labels, OUT out) {
  const unsigned vertex = GROUP * 256 + X;
  if (vertex >= n) return;
  float least = labels[vertex];
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned other = (unsigned)((places[vertex * 8 + k] + 1.0f) * 0.5f * (float)(n - 1));
    least = fminf(least, labels[other]);
  }
  out[vertex] = least;
}
)",
     {1u << 14, 1u << 18, 1u << 21},
     [](unsigned n, unsigned) { return lines(n, {8 * n, n, n}, {value(n), buffer(0), buffer(1), buffer(2)}, 0); }},
};

}  // namespace

std::span<const CpuCase> algebraCases() {
  return cases;
}

}  // namespace lathe::bench
