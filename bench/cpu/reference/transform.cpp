// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images and transforms by hand. What a group does in shared memory is done in a block of the same size that stays in
// the first-level cache.
#include <math.h>

#include "reference.h"

namespace lathe::bench {
namespace {

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

void sobel(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
#pragma omp parallel for schedule(static)
  for (unsigned y = 0; y < n; ++y) {
    const float* const above = in + (y > 0 ? y - 1 : 0) * n;
    const float* const here = in + y * n;
    const float* const below = in + (y + 1 < n ? y + 1 : y) * n;
    float* const to = out + y * n;
    const auto point = [=](unsigned x, unsigned left, unsigned right) {
      const float across = above[right] - above[left] + 2.0f * (here[right] - here[left]) + below[right] - below[left];
      const float down = below[left] - above[left] + 2.0f * (below[x] - above[x]) + below[right] - above[right];
      return sqrtf(across * across + down * down);
    };
    to[0] = point(0, 0, 1);
    to[n - 1] = point(n - 1, n - 2, n - 1);
#pragma omp simd
    for (unsigned x = 1; x < n - 1; ++x) to[x] = point(x, x - 1, x + 1);
  }
}

/// The edge by itself, so that the rest has no conditions.
void bilateral(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
  const int last = int(n) - 1;
  const auto within = [last](int at) { return at < 0 ? 0 : at > last ? last : at; };
  const auto edge = [&](int x, int y) {
    const float centre = in[y * int(n) + x];
    float sum = 0, weights = 0;
    for (int dy = -2; dy <= 2; ++dy) {
      for (int dx = -2; dx <= 2; ++dx) {
        const float value = in[within(y + dy) * int(n) + within(x + dx)], away = value - centre;
        const float weight = expf(-0.125f * float(dx * dx + dy * dy) - 2.0f * away * away);
        sum += weight * value;
        weights += weight;
      }
    }
    out[y * int(n) + x] = sum / weights;
  };
#pragma omp parallel for schedule(static)
  for (int y = 0; y <= last; ++y) {
    for (int x = 0; x < 2; ++x) {
      edge(x, y);
      edge(last - x, y);
    }
#pragma omp simd
    for (int x = 2; x < last - 1; ++x) {
      const float centre = in[y * int(n) + x];
      float sum = 0, weights = 0;
      for (int dy = -2; dy <= 2; ++dy) {
        const float* const line = in + within(y + dy) * int(n) + x;
        for (int dx = -2; dx <= 2; ++dx) {
          const float value = line[dx], away = value - centre;
          const float weight = expf(-0.125f * float(dx * dx + dy * dy) - 2.0f * away * away);
          sum += weight * value;
          weights += weight;
        }
      }
      out[y * int(n) + x] = sum / weights;
    }
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

void fft256(unsigned n, float* const* memory) {
  const unsigned all = n;
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
  constexpr unsigned points = 256;
  float rootRe[points / 2], rootIm[points / 2];
  unsigned reversed[points];
  for (unsigned k = 0; k < points / 2; ++k) {
    rootRe[k] = cosf(-0.024543693f * float(k));
    rootIm[k] = sinf(-0.024543693f * float(k));
  }
  for (unsigned i = 0; i < points; ++i) {
    reversed[i] = 0;
    for (unsigned bit = 0; bit < 8; ++bit) reversed[i] |= (i >> bit & 1u) << (7 - bit);
  }
#pragma omp parallel for schedule(static)
  for (unsigned first = 0; first < all; first += points) {
    alignas(64) float re[points], im[points];
    for (unsigned i = 0; i < points; ++i) {
      re[i] = in[first + reversed[i]];
      im[i] = in[all + first + reversed[i]];
    }
    for (unsigned half = 1; half < points; half *= 2) {
      const unsigned stride = points / 2 / half;
      for (unsigned begin = 0; begin < points; begin += 2 * half) {
        float* const lowRe = re + begin;
        float* const lowIm = im + begin;
        float* const highRe = lowRe + half;
        float* const highIm = lowIm + half;
#pragma omp simd
        for (unsigned k = 0; k < half; ++k) {
          const float turnRe = rootRe[k * stride], turnIm = rootIm[k * stride];
          const float re1 = turnRe * highRe[k] - turnIm * highIm[k], im1 = turnRe * highIm[k] + turnIm * highRe[k];
          const float re0 = lowRe[k], im0 = lowIm[k];
          lowRe[k] = re0 + re1;
          lowIm[k] = im0 + im1;
          highRe[k] = re0 - re1;
          highIm[k] = im0 - im1;
        }
      }
    }
    for (unsigned i = 0; i < points; ++i) {
      out[first + i] = re[i];
      out[all + first + i] = im[i];
    }
  }
}

}  // namespace

LATHE_BENCH_KERNELS(transform) = {
    {"escapeTime", escapeTime}, {"sobel", sobel}, {"bilateral", bilateral}, {"dct8", dct8}, {"fft256", fft256}, {}};

}  // namespace lathe::bench
