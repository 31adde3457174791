// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hand-written peers of the CPU target for the kernels that GPUs run too. Compiled once for each of the build's
// -march values, as LATHE_BENCH_VARIANT: "native" in a build for this machine, levels of x86-64 in a bundle that has to
// run on another. It includes no library header: the linker might keep an inline function's copy from here, for a newer
// processor, for the whole program.
#include "cpu_reference.h"

namespace lathe::bench {
namespace {

void saxpy(unsigned n, float* const* memory) {
  const float* __restrict__ const x = memory[0];
  const float* __restrict__ const y = memory[1];
  float* __restrict__ const out = memory[2];
#pragma omp parallel for simd schedule(static)
  for (unsigned i = 0; i < n; ++i) out[i] = saxpyFactor * x[i] + y[i];
}

void stencil(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
  const unsigned width = n, height = n;
#pragma omp parallel for schedule(static)
  for (unsigned y = 1; y < height - 1; ++y) {
    const float* const above = in + (y - 1) * width;
    const float* const here = in + y * width;
    const float* const below = in + (y + 1) * width;
    float* const to = out + y * width;
#pragma omp simd
    for (unsigned x = 1; x < width - 1; ++x)
      to[x] = 0.5f * here[x] + 0.125f * (here[x - 1] + here[x + 1] + above[x] + below[x]);
  }
}

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

void reduceTree(unsigned n, float* const* memory) {
  const float* __restrict__ const x = memory[0];
  float total = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : total)
  for (unsigned i = 0; i < n; ++i) total += x[i];
  memory[1][0] = total;
}

constexpr HostKernel streaming[] = {
    {"saxpy", saxpy}, {"stencil", stencil}, {"matmul", matmul}, {"reduceTree", reduceTree}, {}};

}  // namespace

extern const HostKernel LATHE_BENCH_JOIN(groupedKernels_, LATHE_BENCH_VARIANT)[];
extern const CpuReference LATHE_BENCH_JOIN(cpuReference_, LATHE_BENCH_VARIANT);
const CpuReference LATHE_BENCH_JOIN(cpuReference_, LATHE_BENCH_VARIANT) = {
    LATHE_BENCH_TEXT(LATHE_BENCH_VARIANT), streaming, LATHE_BENCH_JOIN(groupedKernels_, LATHE_BENCH_VARIANT)};

}  // namespace lathe::bench
