// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers of networks and quantisation by hand. What a group does in shared memory is done in a block of the same size
// that stays in the first-level cache.
#include <math.h>

#include "reference.h"

namespace lathe::bench {
namespace {

constexpr unsigned block = 256;

void softmaxRows(unsigned rows, float* const* memory) {
#pragma omp parallel for schedule(static)
  for (unsigned row = 0; row < rows; ++row) {
    const float* __restrict__ const in = memory[0] + row * rowColumns;
    float* __restrict__ const out = memory[1] + row * rowColumns;
    float most = -1e30f, sum = 0;
#pragma omp simd reduction(max : most)
    for (unsigned i = 0; i < rowColumns; ++i) most = most > in[i] ? most : in[i];
#pragma omp simd reduction(+ : sum)
    for (unsigned i = 0; i < rowColumns; ++i) {
      out[i] = expf(in[i] - most);
      sum += out[i];
    }
    const float scale = 1.0f / sum;
#pragma omp simd
    for (unsigned i = 0; i < rowColumns; ++i) out[i] *= scale;
  }
}

void layernormRows(unsigned n, float* const* memory) {
  const float* __restrict__ const gain = memory[1];
  const float* __restrict__ const shift = memory[2];
#pragma omp parallel for schedule(static)
  for (unsigned row = 0; row < n; ++row) {
    const float* __restrict__ const in = memory[0] + row * rowColumns;
    float* __restrict__ const out = memory[3] + row * rowColumns;
    float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (unsigned i = 0; i < rowColumns; ++i) sum += in[i];
    const float mean = sum / float(rowColumns);
#pragma omp simd reduction(+ : squares)
    for (unsigned i = 0; i < rowColumns; ++i) squares += (in[i] - mean) * (in[i] - mean);
    const float scale = 1.0f / sqrtf(squares / float(rowColumns) + 1e-5f);
#pragma omp simd
    for (unsigned i = 0; i < rowColumns; ++i) out[i] = (in[i] - mean) * scale * gain[i] + shift[i];
  }
}

/// A query at a time against blocks of 64 keys, whose scores are a line in the first-level cache.
void attention(unsigned n, float* const* memory) {
  const float* __restrict__ const keys = memory[1];
  const float* __restrict__ const values = memory[2];
  constexpr unsigned width = 16, together = 64;
#pragma omp parallel for schedule(static)
  for (unsigned row = 0; row < n; ++row) {
    const float* __restrict__ const query = memory[0] + row * width;
    float* __restrict__ const out = memory[3] + row * width;
    float most = -1e30f, weights = 0;
    alignas(64) float sums[width] = {}, scores[together];
    for (unsigned first = 0; first < n; first += together) {
      float next = most;
      for (unsigned k = 0; k < together; ++k) {
        const float* const key = keys + (first + k) * width;
        float score = 0;
#pragma omp simd reduction(+ : score)
        for (unsigned d = 0; d < width; ++d) score += query[d] * key[d];
        scores[k] = 0.25f * score;
        next = next > scores[k] ? next : scores[k];
      }
      const float shrink = expf(most - next);
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (unsigned k = 0; k < together; ++k) {
        scores[k] = expf(scores[k] - next);
        sum += scores[k];
      }
      weights = weights * shrink + sum;
#pragma omp simd
      for (unsigned d = 0; d < width; ++d) sums[d] *= shrink;
      for (unsigned k = 0; k < together; ++k) {
#pragma omp simd
        for (unsigned d = 0; d < width; ++d) sums[d] += scores[k] * values[(first + k) * width + d];
      }
      most = next;
    }
    for (unsigned d = 0; d < width; ++d) out[d] = sums[d] / weights;
  }
}

void quantiseBlocks(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
#pragma omp parallel for schedule(static)
  for (unsigned first = 0; first < n; first += block) {
    float most = 0;
#pragma omp simd reduction(max : most)
    for (unsigned i = first; i < first + block; ++i) {
      const float size = fabsf(in[i]);
      most = most > size ? most : size;
    }
    const float scale = most / 127.0f;
#pragma omp simd
    for (unsigned i = first; i < first + block; ++i) out[i] = float(int(rintf(in[i] / scale))) * scale;
  }
}

void dequantise4(unsigned n, float* const* memory) {
  const float* __restrict__ const words = memory[0];
  const float* __restrict__ const scales = memory[1];
  float* __restrict__ const out = memory[2];
#pragma omp parallel for schedule(static)
  for (unsigned first = 0; first < n; first += 32) {
    const float scale = scales[first / 32];
    for (unsigned i = first; i < first + 32; i += 8) {
      const unsigned word = __builtin_bit_cast(unsigned, words[i / 8]);
#pragma omp simd
      for (unsigned k = 0; k < 8; ++k) out[i + k] = float(int(word >> (4 * k) & 15u) - 8) * scale;
    }
  }
}

}  // namespace

LATHE_BENCH_KERNELS(network) = {{"softmaxRows", softmaxRows}, {"layernormRows", layernormRows},
                                {"attention", attention},     {"quantiseBlocks", quantiseBlocks},
                                {"dequantise4", dequantise4}, {}};

}  // namespace lathe::bench
