// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, scans, histograms and sorts.
#include "../reference/reference.h"
#include "cases.h"

namespace lathe::bench {
namespace {

constexpr CpuCase cases[] = {
    {"reduceTree",
     "",
     {1u << 16, 1u << 20, 1u << 24},
     [](unsigned n, unsigned filling) { return folded(n, filling, 1, 1e-4); }},
    {"histogram",
     R"(
KERNEL histogram(unsigned n, IN in, OUT out) {
  SHARED unsigned bins[256];
  const unsigned x = X;
  bins[x] = 0;
  BARRIER;
  for (unsigned i = GROUP * 256 + x; i < n; i += GROUPS * 256) INCREMENT(&bins[(unsigned)((in[i] + 1.0f) * 127.5f)]);
  BARRIER;
  out[GROUP * 256 + x] = (float)bins[x];
}
)",
     {1u << 16, 1u << 20, 1u << 24},
     [](unsigned n, unsigned filling) { return folded(n, filling, 256, 0); }},
    {"argmaxRows",
     R"(
KERNEL argmaxRows(unsigned columns, IN in, OUT out) {
  SHARED float values[256];
  SHARED unsigned places[256];
  const unsigned x = X, row = GROUP * columns;
  float most = in[row + x];
  unsigned place = x;
  for (unsigned i = x + 256; i < columns; i += 256) {
    const float value = in[row + i];
    if (value > most) {
      most = value;
      place = i;
    }
  }
  values[x] = most;
  places[x] = place;
  BARRIER;
  for (unsigned half_ = 128; half_ > 0; half_ /= 2) {
    if (x < half_) {
      const float value = values[x + half_];
      const unsigned other = places[x + half_];
      if (value > values[x] || (value == values[x] && other < places[x])) {
        values[x] = value;
        places[x] = other;
      }
    }
    BARRIER;
  }
  if (x == 0) out[GROUP] = (float)places[0];
}
)",
     {256, 1024, 8192},
     [](unsigned n, unsigned) {
       return rows(n, lineGroup, {n * rowColumns, n}, {value(rowColumns), buffer(0), buffer(1)}, 0);
     }},
    {"scanBlocks",
     R"(
KERNEL scanBlocks(unsigned n, IN in, OUT out) {
  SHARED float sums[256];
  const unsigned x = X, i = GROUP * 256 + x;
  sums[x] = in[i];
  BARRIER;
  for (unsigned step = 1; step < 256; step *= 2) {
    const float before = x >= step ? sums[x - step] : 0.0f;
    BARRIER;
    sums[x] += before;
    BARRIER;
  }
  out[i] = sums[x];
}
)",
     {1u << 16, 1u << 20, 1u << 22},
     [](unsigned n, unsigned) { return lines(n, {n, n}, {value(n), buffer(0), buffer(1)}, 1e-4); }},
    {"scanSweep",
     R"(
KERNEL scanSweep(unsigned n, IN in, OUT out) {
  SHARED float sums[512];
  const unsigned x = X, first = GROUP * 512;
  sums[x] = in[first + x];
  sums[x + 256] = in[first + 256 + x];
  unsigned stride = 1;
  for (unsigned left = 256; left > 0; left /= 2) {
    BARRIER;
    if (x < left) sums[stride * (2 * x + 2) - 1] += sums[stride * (2 * x + 1) - 1];
    stride *= 2;
  }
  if (x == 0) sums[511] = 0;
  for (unsigned left = 1; left <= 256; left *= 2) {
    stride /= 2;
    BARRIER;
    if (x < left) {
      const unsigned a = stride * (2 * x + 1) - 1, b = stride * (2 * x + 2) - 1;
      const float before = sums[a];
      sums[a] = sums[b];
      sums[b] += before;
    }
  }
  BARRIER;
  out[first + x] = sums[x];
  out[first + 256 + x] = sums[x + 256];
}
)",
     {1u << 16, 1u << 20, 1u << 22},
     [](unsigned n, unsigned) { return rows(n / 512, lineGroup, {n, n}, {value(n), buffer(0), buffer(1)}, 1e-4); }},
    {"bitonicSort",
     R"(
KERNEL bitonicSort(unsigned n, IN in, OUT out) {
  SHARED float line[256];
  const unsigned x = X, i = GROUP * 256 + x;
  line[x] = in[i];
  BARRIER;
  for (unsigned size = 2; size <= 256; size *= 2) {
    for (unsigned step = size / 2; step > 0; step /= 2) {
      const unsigned other = x ^ step;
      if (other > x) {
        const float a = line[x], b = line[other];
        if ((a > b) == ((x & size) == 0)) {
          line[x] = b;
          line[other] = a;
        }
      }
      BARRIER;
    }
  }
  out[i] = line[x];
}
)",
     {1u << 14, 1u << 18, 1u << 21},
     [](unsigned n, unsigned) { return lines(n, {n, n}, {value(n), buffer(0), buffer(1)}, 0); }},
    {"rankSort",
     R"(
KERNEL rankSort(unsigned n, IN in, OUT out) {
  SHARED float line[256];
  const unsigned x = X;
  const float mine = in[GROUP * 256 + x];
  line[x] = mine;
  BARRIER;
  unsigned rank = 0;
  for (unsigned k = 0; k < 256; ++k) {
    const float other = line[k];
    if (other < mine || (other == mine && k < x)) ++rank;
  }
  out[GROUP * 256 + rank] = mine;
}
)",
     {1u << 14, 1u << 18, 1u << 21},
     [](unsigned n, unsigned) { return lines(n, {n, n}, {value(n), buffer(0), buffer(1)}, 0); }},
};

}  // namespace

std::span<const CpuCase> reduceCases() {
  return cases;
}

}  // namespace lathe::bench
