// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hand-written peers of the kernels in two_languages.cpp, compiled as cpu_reference.cpp is. What a group does in
// shared memory is done in a block of the same size that stays in the first-level cache.
#include <math.h>

#include "cpu_reference.h"

namespace lathe::bench {
namespace {

constexpr unsigned block = 256;

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

void scanBlocks(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
#pragma omp parallel for schedule(static)
  for (unsigned first = 0; first < n; first += block) {
    float sum = 0;
    for (unsigned i = first; i < first + block; ++i) out[i] = sum += in[i];
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

void softmaxRows(unsigned rows, float* const* memory) {
#pragma omp parallel for schedule(static)
  for (unsigned row = 0; row < rows; ++row) {
    const float* __restrict__ const in = memory[0] + row * softmaxColumns;
    float* __restrict__ const out = memory[1] + row * softmaxColumns;
    float most = -1e30f, sum = 0;
#pragma omp simd reduction(max : most)
    for (unsigned i = 0; i < softmaxColumns; ++i) most = most > in[i] ? most : in[i];
#pragma omp simd reduction(+ : sum)
    for (unsigned i = 0; i < softmaxColumns; ++i) {
      out[i] = expf(in[i] - most);
      sum += out[i];
    }
    const float scale = 1.0f / sum;
#pragma omp simd
    for (unsigned i = 0; i < softmaxColumns; ++i) out[i] *= scale;
  }
}

void blackScholes(unsigned n, float* const* memory) {
  const float* __restrict__ const a = memory[0];
  const float* __restrict__ const b = memory[1];
  float* __restrict__ const out = memory[2];
#pragma omp parallel for simd schedule(static)
  for (unsigned i = 0; i < n; ++i) {
    const float price = 60.0f + 50.0f * a[i], strike = 60.0f + 50.0f * b[i], years = 2.0f, rate = 0.02f, spread = 0.3f;
    const float root = spread * sqrtf(years);
    const float d1 = (logf(price / strike) + (rate + 0.5f * spread * spread) * years) / root, d2 = d1 - root;
    const float n1 = 0.5f * erfcf(-0.70710678f * d1), n2 = 0.5f * erfcf(-0.70710678f * d2);
    out[i] = price * n1 - strike * expf(-rate * years) * n2;
  }
}

void nbodyStep(unsigned n, float* const* memory) {
  const float* __restrict__ const bodies = memory[0];
  float* __restrict__ const forces = memory[1];
#pragma omp parallel for schedule(static)
  for (unsigned i = 0; i < n; ++i) {
    const float px = bodies[i], py = bodies[n + i], pz = bodies[2 * n + i];
    float fx = 0, fy = 0, fz = 0;
#pragma omp simd reduction(+ : fx, fy, fz)
    for (unsigned k = 0; k < n; ++k) {
      const float dx = bodies[k] - px, dy = bodies[n + k] - py, dz = bodies[2 * n + k] - pz;
      const float square = dx * dx + dy * dy + dz * dz + 0.01f;
      const float inverse = 1.0f / sqrtf(square), pull = bodies[3 * n + k] * inverse * inverse * inverse;
      fx += pull * dx;
      fy += pull * dy;
      fz += pull * dz;
    }
    forces[i] = fx;
    forces[n + i] = fy;
    forces[2 * n + i] = fz;
  }
}

/// Sixteen points at a time until none of them is left.
void escapeTime(unsigned n, float* const* memory) {
  float* __restrict__ const out = memory[0];
#pragma omp parallel for schedule(dynamic)
  for (unsigned py = 0; py < n; ++py) {
    const float cy = -1.5f + 3.0f * float(py) / float(n);
    for (unsigned first = 0; first < n; first += 16) {
      float x[16] = {}, y[16] = {}, cx[16];
      int steps[16] = {};
      for (unsigned i = 0; i < 16; ++i) cx[i] = -2.0f + 3.0f * float(first + i) / float(n);
      for (unsigned step = 0; step < escapeLimit; ++step) {
        int inside = 0;
#pragma omp simd reduction(+ : inside)
        for (unsigned i = 0; i < 16; ++i) {
          const int in = x[i] * x[i] + y[i] * y[i] < 4.0f ? 1 : 0;
          const float next = x[i] * x[i] - y[i] * y[i] + cx[i];
          y[i] = in ? 2.0f * x[i] * y[i] + cy : y[i];
          x[i] = in ? next : x[i];
          steps[i] += in;
          inside += in;
        }
        if (inside == 0) break;
      }
      for (unsigned i = 0; i < 16; ++i) out[py * n + first + i] = float(steps[i]);
    }
  }
}

void histogram(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
  unsigned bins[256] = {};
#pragma omp parallel for schedule(static) reduction(+ : bins)
  for (unsigned i = 0; i < n; ++i) ++bins[unsigned((in[i] + 1.0f) * 127.5f)];
  for (unsigned bin = 0; bin < 256; ++bin) out[bin] = float(bins[bin]);
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

void dct8(unsigned n, float* const* memory) {
  const float* __restrict__ const basis = memory[0];
  const float* __restrict__ const in = memory[1];
  float* __restrict__ const out = memory[2];
#pragma omp parallel for collapse(2) schedule(static)
  for (unsigned top = 0; top < n; top += 8) {
    for (unsigned left = 0; left < n; left += 8) {
      alignas(64) float rows[8][8];
      for (unsigned y = 0; y < 8; ++y) {
        const float* const line = in + (top + y) * n + left;
#pragma omp simd
        for (unsigned x = 0; x < 8; ++x) {
          float sum = 0;
          for (unsigned k = 0; k < 8; ++k) sum += basis[x * 8 + k] * line[k];
          rows[y][x] = sum;
        }
      }
      for (unsigned y = 0; y < 8; ++y) {
#pragma omp simd
        for (unsigned x = 0; x < 8; ++x) {
          float sum = 0;
          for (unsigned k = 0; k < 8; ++k) sum += basis[y * 8 + k] * rows[k][x];
          out[(top + y) * n + left + x] = sum;
        }
      }
    }
  }
}

}  // namespace

extern const HostKernel LATHE_BENCH_JOIN(groupedKernels_, LATHE_BENCH_VARIANT)[];
const HostKernel LATHE_BENCH_JOIN(groupedKernels_, LATHE_BENCH_VARIANT)[] = {{"transpose", transpose},
                                                                             {"convolve", convolve},
                                                                             {"scanBlocks", scanBlocks},
                                                                             {"bitonicSort", bitonicSort},
                                                                             {"softmaxRows", softmaxRows},
                                                                             {"blackScholes", blackScholes},
                                                                             {"nbodyStep", nbodyStep},
                                                                             {"escapeTime", escapeTime},
                                                                             {"histogram", histogram},
                                                                             {"spmv", spmv},
                                                                             {"heatSteps", heat},
                                                                             {"dct8", dct8},
                                                                             {}};

}  // namespace lathe::bench
