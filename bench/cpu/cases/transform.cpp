// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images and transforms.
#include "../reference/reference.h"
#include "cases.h"

namespace lathe::bench {
namespace {

constexpr CpuCase cases[] = {
    // A point at the very edge may leave a step earlier or later, by rounding.
    {"escapeTime",
     R"(
KERNEL escapeTime(unsigned n, unsigned limit, OUT out) {
  const unsigned px = GROUP * 16 + X, py = GROUP_Y * 16 + Y;
  const float cx = -2.0f + 3.0f * (float)px / (float)n, cy = -1.5f + 3.0f * (float)py / (float)n;
  float x = 0, y = 0;
  unsigned step = 0;
  for (; step < limit && x * x + y * y < 4.0f; ++step) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
  }
  out[py * n + px] = (float)step;
}
)",
     {256, 512, 1024},
     [](unsigned n, unsigned) {
       return total(squares(n, {16, 16}, {n * n}, {value(n), value(escapeLimit), buffer(0)}, 1e-3));
     }},
    {"sobel",
     R"(
KERNEL sobel(unsigned n, IN in, OUT out) {
  const unsigned x = GROUP * 16 + X, y = GROUP_Y * 16 + Y;
  const unsigned left = x > 0 ? x - 1 : 0, right = x + 1 < n ? x + 1 : x;
  const unsigned above = (y > 0 ? y - 1 : 0) * n, here = y * n, below = (y + 1 < n ? y + 1 : y) * n;
  const float across = in[above + right] - in[above + left] + 2.0f * (in[here + right] - in[here + left]) +
                       in[below + right] - in[below + left];
  const float down = in[below + left] - in[above + left] + 2.0f * (in[below + x] - in[above + x]) + in[below + right] -
                     in[above + right];
  out[here + x] = sqrtf(across * across + down * down);
}
)",
     {256, 1024, 4096},
     [](unsigned n, unsigned) { return squares(n, {16, 16}, {n * n, n * n}, {value(n), buffer(0), buffer(1)}, 1e-4); }},
    {"bilateral",
     R"(
KERNEL bilateral(unsigned n, IN in, OUT out) {
  const int x = (int)(GROUP * 16 + X), y = (int)(GROUP_Y * 16 + Y), last = (int)n - 1;
  const float centre = in[y * (int)n + x];
  float sum = 0, weights = 0;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      const int fromX = x + dx < 0 ? 0 : x + dx > last ? last : x + dx;
      const int fromY = y + dy < 0 ? 0 : y + dy > last ? last : y + dy;
      const float value = in[fromY * (int)n + fromX], away = value - centre;
      const float weight = expf(-0.125f * (float)(dx * dx + dy * dy) - 2.0f * away * away);
      sum += weight * value;
      weights += weight;
    }
  }
  out[y * (int)n + x] = sum / weights;
}
)",
     {256, 512, 1024},
     [](unsigned n, unsigned) { return squares(n, {16, 16}, {n * n, n * n}, {value(n), buffer(0), buffer(1)}, 1e-4); }},
    {"dct8",
     R"(
KERNEL dct8(unsigned n, IN basis, IN in, OUT out) {
  SHARED float block[8][8], rows[8][8];
  const unsigned x = X, y = Y, at = (GROUP_Y * 8 + y) * n + GROUP * 8 + x;
  block[y][x] = in[at];
  BARRIER;
  float sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum += basis[x * 8 + k] * block[y][k];
  rows[y][x] = sum;
  BARRIER;
  sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum += basis[y * 8 + k] * rows[k][x];
  out[at] = sum;
}
)",
     {256, 1024, 2048},
     [](unsigned n, unsigned) {
       return squares(n, {8, 8}, {64, n * n, n * n}, {value(n), buffer(0), buffer(1), buffer(2)}, 1e-5);
     }},
    {"fft256",
     R"(
KERNEL fft256(unsigned n, IN in, OUT out) {
  SHARED float re[256], im[256], rootRe[128], rootIm[128];
  const unsigned x = X, first = GROUP * 256;
  const float angle = -0.024543693f * (float)x;
  rootRe[x] = cosf(angle);
  rootIm[x] = sinf(angle);
  for (unsigned i = x; i < 256; i += 128) {
    unsigned place = 0;
    for (unsigned bit = 0; bit < 8; ++bit) place |= (i >> bit & 1u) << (7 - bit);
    re[place] = in[first + i];
    im[place] = in[n + first + i];
  }
  BARRIER;
  for (unsigned half_ = 1; half_ < 256; half_ *= 2) {
    const unsigned k = x & (half_ - 1), a = 2 * x - k, b = a + half_, root = k * (128 / half_);
    const float turnedRe = rootRe[root] * re[b] - rootIm[root] * im[b];
    const float turnedIm = rootRe[root] * im[b] + rootIm[root] * re[b];
    const float otherRe = re[a], otherIm = im[a];
    re[a] = otherRe + turnedRe;
    im[a] = otherIm + turnedIm;
    re[b] = otherRe - turnedRe;
    im[b] = otherIm - turnedIm;
    BARRIER;
  }
  for (unsigned i = x; i < 256; i += 128) {
    out[first + i] = re[i];
    out[n + first + i] = im[i];
  }
}
)",
     {1u << 14, 1u << 18, 1u << 21},
     [](unsigned n, unsigned) { return rows(n / 256, 128, {2 * n, 2 * n}, {value(n), buffer(0), buffer(1)}, 1e-4); }},
};

}  // namespace

std::span<const CpuCase> transformCases() {
  return cases;
}

}  // namespace lathe::bench
