// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear algebra and graphs by hand. What a group does in shared memory is done in a block of the same size that stays
// in the first-level cache.
#include "reference.h"

namespace lathe::bench {
namespace {

/// Tiles of 16 rows by 64 columns that stay in the first-level cache while 64 values of k pass, four rows to a load of
/// b.
void matmul(unsigned n, float* const* memory) {
  const float* __restrict__ const a = memory[0];
  const float* __restrict__ const b = memory[1];
  float* __restrict__ const c = memory[2];
  constexpr unsigned rows = 16, columns = 64, depth = 64, together = 4;
#pragma omp parallel for collapse(2) schedule(static)
  for (unsigned row = 0; row < n; row += rows) {
    for (unsigned column = 0; column < n; column += columns) {
      alignas(64) float tile[rows][columns] = {};
      for (unsigned first = 0; first < n; first += depth) {
        for (unsigned r = 0; r < rows; r += together) {
          for (unsigned k = first; k < first + depth; ++k) {
            const float* const from = b + k * n + column;
            const float* const left = a + (row + r) * n + k;
            const float a0 = left[0], a1 = left[n], a2 = left[2 * n], a3 = left[3 * n];
#pragma omp simd
            for (unsigned x = 0; x < columns; ++x) {
              tile[r][x] += a0 * from[x];
              tile[r + 1][x] += a1 * from[x];
              tile[r + 2][x] += a2 * from[x];
              tile[r + 3][x] += a3 * from[x];
            }
          }
        }
      }
      for (unsigned r = 0; r < rows; ++r)
        for (unsigned x = 0; x < columns; ++x) c[(row + r) * n + column + x] = tile[r][x];
    }
  }
}

void matvecRows(unsigned n, float* const* memory) {
  const float* __restrict__ const vector = memory[1];
  float* __restrict__ const out = memory[2];
#pragma omp parallel for schedule(static)
  for (unsigned row = 0; row < n; ++row) {
    const float* __restrict__ const matrix = memory[0] + row * n;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (unsigned i = 0; i < n; ++i) sum += matrix[i] * vector[i];
    out[row] = sum;
  }
}

/// Sixteen systems at a time.
void tridiagonal(unsigned n, float* const* memory) {
  const float* __restrict__ const lower = memory[0];
  const float* __restrict__ const upper = memory[1];
  const float* __restrict__ const right = memory[2];
  float* __restrict__ const out = memory[3];
  constexpr unsigned together = 16;
#pragma omp parallel for schedule(static)
  for (unsigned first = 0; first < n; first += together) {
    alignas(64) float c[32][together], d[32][together];
#pragma omp simd
    for (unsigned i = 0; i < together; ++i) {
      c[0][i] = 0.25f * upper[first + i];
      d[0][i] = 0.25f * right[first + i];
    }
    for (unsigned k = 1; k < 32; ++k) {
      const unsigned at = k * n + first;
#pragma omp simd
      for (unsigned i = 0; i < together; ++i) {
        const float below = lower[at + i], scale = 1.0f / (4.0f - below * c[k - 1][i]);
        c[k][i] = upper[at + i] * scale;
        d[k][i] = (right[at + i] - below * d[k - 1][i]) * scale;
      }
    }
    for (unsigned k = 31; k > 0; --k) {
#pragma omp simd
      for (unsigned i = 0; i < together; ++i) {
        out[k * n + first + i] = d[k][i];
        d[k - 1][i] -= c[k - 1][i] * d[k][i];
      }
    }
    for (unsigned i = 0; i < together; ++i) out[first + i] = d[0][i];
  }
}

void spmv(unsigned n, float* const* memory) {
  const float* __restrict__ const values = memory[0];
  const float* __restrict__ const places = memory[1];
  const float* __restrict__ const vector = memory[2];
  float* __restrict__ const out = memory[3];
#pragma omp parallel for simd schedule(static)
  for (unsigned row = 0; row < n; ++row) {
    float sum = 0;
    for (unsigned k = 0; k < spmvWidth; ++k) {
      const unsigned column = unsigned((places[k * n + row] + 1.0f) * 0.5f * float(n - 1));
      sum += values[k * n + row] * vector[column];
    }
    out[row] = sum;
  }
}

void labelStep(unsigned n, float* const* memory) {
  const float* __restrict__ const places = memory[0];
  const float* __restrict__ const labels = memory[1];
  float* __restrict__ const out = memory[2];
#pragma omp parallel for simd schedule(static)
  for (unsigned vertex = 0; vertex < n; ++vertex) {
    float least = labels[vertex];
    for (unsigned k = 0; k < 8; ++k) {
      const float label = labels[unsigned((places[vertex * 8 + k] + 1.0f) * 0.5f * float(n - 1))];
      least = label < least ? label : least;
    }
    out[vertex] = least;
  }
}

}  // namespace

LATHE_BENCH_KERNELS(algebra) = {{"matmul", matmul}, {"matvecRows", matvecRows}, {"tridiagonal", tridiagonal},
                                {"spmv", spmv},     {"labelStep", labelStep},   {}};

}  // namespace lathe::bench
