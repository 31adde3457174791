// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers of networks and quantisation.
#include "../reference/reference.h"
#include "cases.h"

namespace lathe::bench {
namespace {

constexpr CpuCase cases[] = {
    {"softmaxRows",
     R"(
KERNEL softmaxRows(unsigned columns, IN in, OUT out) {
  SHARED float part[256];
  const unsigned x = X, row = GROUP * columns;
  float most = -1e30f;
  for (unsigned i = x; i < columns; i += 256) most = fmaxf(most, in[row + i]);
  part[x] = most;
  BARRIER;
  for (unsigned half_ = 128; half_ > 0; half_ /= 2) {
    if (x < half_) part[x] = fmaxf(part[x], part[x + half_]);
    BARRIER;
  }
  most = part[0];
  BARRIER;
  float sum = 0;
  for (unsigned i = x; i < columns; i += 256) {
    const float e = expf(in[row + i] - most);
    out[row + i] = e;
    sum += e;
  }
  part[x] = sum;
  BARRIER;
  for (unsigned half_ = 128; half_ > 0; half_ /= 2) {
    if (x < half_) part[x] += part[x + half_];
    BARRIER;
  }
  const float scale = 1.0f / part[0];
  for (unsigned i = x; i < columns; i += 256) out[row + i] *= scale;
}
)",
     {256, 1024, 8192},
     [](unsigned n, unsigned) {
       return rows(n, lineGroup, {n * rowColumns, n * rowColumns}, {value(rowColumns), buffer(0), buffer(1)}, 1e-5);
     }},
    {"layernormRows",
     R"(
KERNEL layernormRows(unsigned columns, IN in, IN gain, IN shift, OUT out) {
  SHARED float part[256];
  const unsigned x = X, row = GROUP * columns;
  float sum = 0;
  for (unsigned i = x; i < columns; i += 256) sum += in[row + i];
  part[x] = sum;
  BARRIER;
  for (unsigned half_ = 128; half_ > 0; half_ /= 2) {
    if (x < half_) part[x] += part[x + half_];
    BARRIER;
  }
  const float mean = part[0] / (float)columns;
  BARRIER;
  sum = 0;
  for (unsigned i = x; i < columns; i += 256) {
    const float away = in[row + i] - mean;
    sum += away * away;
  }
  part[x] = sum;
  BARRIER;
  for (unsigned half_ = 128; half_ > 0; half_ /= 2) {
    if (x < half_) part[x] += part[x + half_];
    BARRIER;
  }
  const float scale = 1.0f / sqrtf(part[0] / (float)columns + 1e-5f);
  for (unsigned i = x; i < columns; i += 256) out[row + i] = (in[row + i] - mean) * scale * gain[i] + shift[i];
}
)",
     {256, 1024, 8192},
     [](unsigned n, unsigned) {
       return rows(n, lineGroup, {n * rowColumns, rowColumns, rowColumns, n * rowColumns},
                   {value(rowColumns), buffer(0), buffer(1), buffer(2), buffer(3)}, 1e-4);
     }},
    {"attention",
     R"(
KERNEL attention(unsigned n, IN queries, IN keys, IN values, OUT out) {
  SHARED float key[64][16], value[64][16];
  const unsigned x = X, row = (GROUP * 64 + x) * 16;
  float query[16], sums[16];
  for (unsigned d = 0; d < 16; ++d) {
    query[d] = queries[row + d];
    sums[d] = 0;
  }
  float most = -1e30f, weights = 0;
  for (unsigned tile = 0; tile < n; tile += 64) {
    for (unsigned d = 0; d < 16; ++d) {
      key[x][d] = keys[(tile + x) * 16 + d];
      value[x][d] = values[(tile + x) * 16 + d];
    }
    BARRIER;
    for (unsigned k = 0; k < 64; ++k) {
      float score = 0;
      for (unsigned d = 0; d < 16; ++d) score += query[d] * key[k][d];
      score *= 0.25f;
      const float next = fmaxf(most, score), shrink = expf(most - next), weight = expf(score - next);
      weights = weights * shrink + weight;
      for (unsigned d = 0; d < 16; ++d) sums[d] = sums[d] * shrink + weight * value[k][d];
      most = next;
    }
    BARRIER;
  }
  for (unsigned d = 0; d < 16; ++d) out[row + d] = sums[d] / weights;
}
)",
     {256, 1024, 4096},
     [](unsigned n, unsigned) {
       return rows(n / 64, 64, {16 * n, 16 * n, 16 * n, 16 * n}, {value(n), buffer(0), buffer(1), buffer(2), buffer(3)},
                   1e-4);
     }},
    // A value half-way between two steps may go to either.
    {"quantiseBlocks",
     R"(
KERNEL quantiseBlocks(unsigned n, IN in, OUT out) {
  SHARED float part[256];
  const unsigned x = X, i = GROUP * 256 + x;
  const float value = in[i];
  part[x] = fabsf(value);
  BARRIER;
  for (unsigned half_ = 128; half_ > 0; half_ /= 2) {
    if (x < half_) part[x] = fmaxf(part[x], part[x + half_]);
    BARRIER;
  }
  const float scale = part[0] / 127.0f;
  out[i] = (float)(int)rintf(value / scale) * scale;
}
)",
     {1u << 16, 1u << 20, 1u << 22},
     [](unsigned n, unsigned) { return lines(n, {n, n}, {value(n), buffer(0), buffer(1)}, 1e-2); }},
    {"dequantise4",
     R"(
KERNEL dequantise4(unsigned n, IN words, IN scales, OUT out) {
  const unsigned i = GROUP * 256 + X;
  if (i >= n) return;
  const unsigned nibble = BITS(words[i / 8]) >> (i % 8 * 4) & 15u;
  out[i] = (float)((int)nibble - 8) * scales[i / 32];
}
)",
     {1u << 16, 1u << 20, 1u << 22},
     [](unsigned n, unsigned) { return lines(n, {n / 8, n / 32, n}, {value(n), buffer(0), buffer(1), buffer(2)}, 0); }},
};

}  // namespace

std::span<const CpuCase> networkCases() {
  return cases;
}

}  // namespace lathe::bench
