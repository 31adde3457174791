// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, scans, histograms and sorts by hand. What a group does in shared memory is done in a block of the same
// size that stays in the first-level cache.
#include "reference.h"

namespace lathe::bench {
namespace {

constexpr unsigned block = 256;

void reduceTree(unsigned n, float* const* memory) {
  const float* __restrict__ const x = memory[0];
  float total = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : total)
  for (unsigned i = 0; i < n; ++i) total += x[i];
  memory[1][0] = total;
}

void histogram(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
  unsigned bins[256] = {};
#pragma omp parallel for schedule(static) reduction(+ : bins)
  for (unsigned i = 0; i < n; ++i) ++bins[unsigned((in[i] + 1.0f) * 127.5f)];
  for (unsigned bin = 0; bin < 256; ++bin) out[bin] = float(bins[bin]);
}

void argmaxRows(unsigned n, float* const* memory) {
  float* __restrict__ const out = memory[1];
#pragma omp parallel for schedule(static)
  for (unsigned row = 0; row < n; ++row) {
    const float* __restrict__ const in = memory[0] + row * rowColumns;
    float most = in[0];
#pragma omp simd reduction(max : most)
    for (unsigned i = 0; i < rowColumns; ++i) most = most > in[i] ? most : in[i];
    unsigned place = 0;
    while (in[place] != most) ++place;
    out[row] = float(place);
  }
}

void scanBlocks(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
#pragma omp parallel for schedule(static)
  for (unsigned first = 0; first < n; first += block) {
    float sum = 0;
    for (unsigned i = first; i < first + block; ++i) out[i] = sum += in[i];
  }
}

void scanSweep(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
#pragma omp parallel for schedule(static)
  for (unsigned first = 0; first < n; first += 2 * block) {
    float sum = 0;
    for (unsigned i = first; i < first + 2 * block; ++i) {
      out[i] = sum;
      sum += in[i];
    }
  }
}

void bitonicSort(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
#pragma omp parallel for schedule(static)
  for (unsigned first = 0; first < n; first += block) {
    alignas(64) float line[block];
    for (unsigned x = 0; x < block; ++x) line[x] = in[first + x];
    for (unsigned size = 2; size <= block; size *= 2) {
      for (unsigned step = size / 2; step > 0; step /= 2) {
        for (unsigned begin = 0; begin < block; begin += 2 * step) {
          const bool up = (begin & size) == 0;
          float* const low = line + begin;
          float* const high = low + step;
#pragma omp simd
          for (unsigned x = 0; x < step; ++x) {
            const float a = low[x], b = high[x], less = a < b ? a : b, more = a < b ? b : a;
            low[x] = up ? less : more;
            high[x] = up ? more : less;
          }
        }
      }
    }
    for (unsigned x = 0; x < block; ++x) out[first + x] = line[x];
  }
}

void rankSort(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
#pragma omp parallel for schedule(static)
  for (unsigned first = 0; first < n; first += block) {
    const float* const line = in + first;
    alignas(64) unsigned rank[block] = {};
    for (unsigned k = 0; k < block; ++k) {
      const float other = line[k];
#pragma omp simd
      for (unsigned x = 0; x < block; ++x) rank[x] += (other < line[x]) | ((other == line[x]) & (k < x)) ? 1u : 0u;
    }
    for (unsigned x = 0; x < block; ++x) out[first + rank[x]] = line[x];
  }
}

}  // namespace

LATHE_BENCH_KERNELS(reduce) = {
    {"reduceTree", reduceTree}, {"histogram", histogram},     {"argmaxRows", argmaxRows}, {"scanBlocks", scanBlocks},
    {"scanSweep", scanSweep},   {"bitonicSort", bitonicSort}, {"rankSort", rankSort},     {}};

}  // namespace lathe::bench
