// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, stencils and transposes by hand. What a group does in shared memory is done in a block of the same size that
// stays in the first-level cache.
#include "reference.h"

namespace lathe::bench {
namespace {

constexpr unsigned block = 256;

void saxpy(unsigned n, float* const* memory) {
  const float* __restrict__ const x = memory[0];
  const float* __restrict__ const y = memory[1];
  float* __restrict__ const out = memory[2];
#pragma omp parallel for simd schedule(static)
  for (unsigned i = 0; i < n; ++i) out[i] = saxpyFactor * x[i] + y[i];
}

void transpose(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
#pragma omp parallel for collapse(2) schedule(static)
  for (unsigned row = 0; row < n; row += 16) {
    for (unsigned column = 0; column < n; column += 16) {
      for (unsigned y = 0; y < 16; ++y) {
#pragma omp simd
        for (unsigned x = 0; x < 16; ++x) out[(column + y) * n + row + x] = in[(row + x) * n + column + y];
      }
    }
  }
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

void convolve(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  const float* __restrict__ const weights = memory[1];
  float* __restrict__ const out = memory[2];
  const auto edge = [&](unsigned i) {
    float sum = 0;
    for (unsigned k = 0; k < 17; ++k)
      if (i + k >= 8 && i + k - 8 < n) sum += weights[k] * in[i + k - 8];
    out[i] = sum;
  };
  for (unsigned i = 0; i < 8; ++i) edge(i);
  for (unsigned i = n - 8; i < n; ++i) edge(i);
#pragma omp parallel for simd schedule(static)
  for (unsigned i = 8; i < n - 8; ++i) {
    float sum = 0;
    for (unsigned k = 0; k < 17; ++k) sum += weights[k] * in[i + k - 8];
    out[i] = sum;
  }
}

void heat(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
#pragma omp parallel for schedule(static)
  for (unsigned first = 0; first < n; first += block) {
    alignas(64) float line[2][block + 2] = {};
    for (unsigned x = 0; x < block; ++x) line[0][x + 1] = in[first + x];
    for (unsigned step = 0; step < heatSteps; ++step) {
      const float* const from = line[step & 1];
      float* const to = line[1 - (step & 1)];
#pragma omp simd
      for (unsigned x = 1; x <= block; ++x) to[x] = 0.5f * from[x] + 0.25f * (from[x - 1] + from[x + 1]);
    }
    for (unsigned x = 0; x < block; ++x) out[first + x] = line[heatSteps & 1][x + 1];
  }
}

void heat3d(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
  const unsigned plane = n * n;
#pragma omp parallel for collapse(2) schedule(static)
  for (unsigned z = 1; z < n - 1; ++z) {
    for (unsigned y = 1; y < n - 1; ++y) {
      const float* const from = in + (z * n + y) * n;
      float* const to = out + (z * n + y) * n;
#pragma omp simd
      for (unsigned x = 1; x < n - 1; ++x)
        to[x] = 0.4f * from[x] + 0.1f * (from[x - 1] + from[x + 1] + *(from + x - n) + from[x + n] +
                                         *(from + x - plane) + from[x + plane]);
    }
  }
}

}  // namespace

LATHE_BENCH_KERNELS(memory) = {{"saxpy", saxpy},
                               {"transpose", transpose},
                               {"stencil", stencil},
                               {"convolve", convolve},
                               {"heatSteps", heat},
                               {"heat3d", heat3d},
                               {}};

}  // namespace lathe::bench
