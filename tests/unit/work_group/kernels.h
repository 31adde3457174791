// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the tests, for both sides. Each shows one way in which items can meet.
#pragma once

#include "tests/unit/work_group/kernel_language.h"

// No barrier at all.

KERNEL void saxpy(int n, float a, const float* __restrict x, float* __restrict y) {
  const int i = globalX();
  if (i < n) y[i] = a * x[i] + y[i];
}

KERNEL void saxpyAliased(int n, float a, const float* x, float* y) {
  const int i = globalX();
  if (i < n) y[i] = a * x[i] + y[i];
}

KERNEL void writeIds(int* out) {
  int* const mine = out + 12 * linearId();
  mine[0] = itemX(), mine[1] = itemY(), mine[2] = itemZ();
  mine[3] = __lathe_group_id_x(), mine[4] = __lathe_group_id_y(), mine[5] = __lathe_group_id_z();
  mine[6] = sizeX(), mine[7] = sizeY(), mine[8] = sizeZ();
  mine[9] = __lathe_group_count_x(), mine[10] = __lathe_group_count_y(), mine[11] = __lathe_group_count_z();
}

KERNEL void stencil(int width, int height, const float* __restrict in, float* __restrict out) {
  const int x = globalX();
  const int y = globalY();
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const int at = y * width + x;
  out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
}

KERNEL void volume(int nx, int ny, int nz, const float* __restrict in, float* __restrict out) {
  const int x = globalX();
  const int y = globalY();
  const int z = globalZ();
  if (x < nx && y < ny && z < nz)
    out[(z * ny + y) * nx + x] = in[(z * ny + y) * nx + x] * static_cast<float>(x + 10 * y + 100 * z);
}

KERNEL void matmulNaive(int n, int depth, const float* __restrict a, const float* __restrict b, float* __restrict c) {
  const int column = globalX();
  const int row = globalY();
  if (column >= n || row >= n) return;
  float sum = 0;
  for (int k = 0; k < depth; ++k) sum += a[row * depth + k] * b[k * n + column];
  c[row * n + column] = sum;
}

KERNEL void mandelbrot(int width, int height, int limit, int* __restrict out) {
  const int x = globalX();
  const int y = globalY();
  if (x >= width || y >= height) return;
  const float cr = static_cast<float>(x) * 3.0f / static_cast<float>(width) - 2.0f;
  const float ci = static_cast<float>(y) * 2.0f / static_cast<float>(height) - 1.0f;
  float zr = 0, zi = 0;
  int iterations = 0;
  while (iterations < limit && zr * zr + zi * zi < 4.0f) {
    const float next = zr * zr - zi * zi + cr;
    zi = 2.0f * zr * zi + ci;
    zr = next;
    ++iterations;
  }
  out[y * width + x] = iterations;
}

KERNEL void rowSums(int columns, const float* __restrict in, float* __restrict out) {
  const float* const row = in + globalX() * columns;
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += row[i];
  out[globalX()] = sum;
}

KERNEL void nBody(int n, const float* __restrict positions, float* __restrict forces) {
  const int i = globalX();
  const float mine = positions[i];
  float force = 0;
  for (int j = 0; j < n; ++j) {
    const float distance = positions[j] - mine;
    force += distance / (distance * distance + 0.01f);
  }
  forces[i] = force;
}

// The bodies of a tile one after another, and enough arithmetic that nobody makes two copies of the loop.
KERNEL void nBodyTiled(int n, const float* __restrict positions, float* __restrict forces) {
  SHARED float xs[32];
  SHARED float ys[32];
  const int item = itemX(), i = globalX();
  const float x = positions[i], y = positions[n + i];
  float forceX = 0, forceY = 0;
  for (int tile = 0; tile < n; tile += 32) {
    xs[item] = positions[tile + item];
    ys[item] = positions[n + tile + item];
    barrier();
    for (int j = 0; j < 32; ++j) {
      const float dx = xs[j] - x, dy = ys[j] - y;
      const float near = 1.0f / (dx * dx + dy * dy + 0.01f), pull = near * near * near + near * 0.5f;
      forceX += pull * dx;
      forceY += pull * dy;
    }
    barrier();
  }
  forces[i] = forceX;
  forces[n + i] = forceY;
}

KERNEL void histogram(int n, const int* in, int* bins) {
  const int i = globalX();
  if (i < n) __atomic_fetch_add(bins + (in[i] & 15), 1, __ATOMIC_RELAXED);
}

KERNEL void groupHistogram(int n, const int* in, int* out) {  // counted in shared memory, the last items exchange too
  SHARED int bins[16];
  const int item = itemX();
  if (item < 16) bins[item] = 0;
  barrier();
  for (int i = globalX(); i < n; i += sizeX() * 2) __atomic_fetch_add(bins + (in[i] & 15), 1, __ATOMIC_RELAXED);
  int expected = -1;
  if (item >= n) __atomic_compare_exchange_n(bins + 3, &expected, item, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  barrier();
  if (item < 16) __atomic_fetch_add(out + item, __atomic_load_n(bins + item, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

KERNEL void privateArray(int n, const int* __restrict in, int* __restrict out) {
  int mine[16];
  for (int i = 0; i < 16; ++i) mine[i] = in[globalX()] * i;
  for (int i = 0; i < n; ++i) mine[(i * 7 + itemX()) & 15] += i;
  out[globalX()] = mine[itemX() & 15];
}

struct Mixed {
  char tag;
  double scale;
  short steps[3];
  struct {
    unsigned char flags;
    float offset;
  } inner;
};

KERNEL void aggregates(Mixed first, bool negate, Mixed second, const float* in, float* out, char last) {
  const int i = globalX();
  second.steps[i % 3] = static_cast<short>(second.steps[i % 3] + i);  // each item's own copy
  float value = in[i] * static_cast<float>(first.scale) + second.inner.offset;
  for (int k = 0; k < 3; ++k) value += static_cast<float>(second.steps[k] * first.steps[k]);
  out[i] = (negate ? -value : value) + static_cast<float>(first.tag + last + second.inner.flags);
}

// Barriers.

KERNEL void reverse(int* data) {
  SHARED int tile[1024];
  const int i = linearItem();
  const int items = sizeX() * sizeY() * sizeZ();
  const int base = linearId() - i;
  tile[i] = data[base + i];
  barrier();
  data[base + i] = tile[items - 1 - i];
}

KERNEL void sharedFlag(int* out) {
  SHARED int flag;
  if (linearItem() == 0) flag = 0;
  barrier();
  if (linearItem() == sizeX() * sizeY() * sizeZ() - 1) flag = 7;
  barrier();
  out[linearId()] = flag;
}

KERNEL void reduce(int n, const float* __restrict in, float* __restrict out) {
  SHARED float part[1024];
  const int i = itemX();
  const int at = globalX();
  part[i] = at < n ? in[at] : 0.0f;
  barrier();
  for (int stride = sizeX() / 2; stride > 0; stride /= 2) {
    if (i < stride) part[i] += part[i + stride];
    barrier();
  }
  if (i == 0) out[__lathe_group_id_x()] = part[0];
}

KERNEL void scan(const int* __restrict in, int* __restrict out) {  // Hillis and Steele, two buffers
  SHARED int buffer[2][1024];
  const int i = itemX();
  int from = 0;
  buffer[0][i] = in[globalX()];
  barrier();
  for (int step = 1; step < sizeX(); step *= 2) {
    buffer[1 - from][i] = buffer[from][i] + (i >= step ? buffer[from][i - step] : 0);
    from = 1 - from;
    barrier();
  }
  out[globalX()] = buffer[from][i];
}

KERNEL void transpose(int n, const float* __restrict in, float* __restrict out) {
  SHARED float tile[16][17];
  const int x = __lathe_group_id_x() * 16 + itemX();
  const int y = __lathe_group_id_y() * 16 + itemY();
  if (x < n && y < n) tile[itemY()][itemX()] = in[y * n + x];
  barrier();
  const int tx = __lathe_group_id_y() * 16 + itemX();
  const int ty = __lathe_group_id_x() * 16 + itemY();
  if (tx < n && ty < n) out[ty * n + tx] = tile[itemX()][itemY()];
}

KERNEL void matmulTiled(int n, const float* __restrict a, const float* __restrict b, float* __restrict c) {
  SHARED float tileA[16][16];
  SHARED float tileB[16][16];
  const int tx = itemX();
  const int ty = itemY();
  const int column = __lathe_group_id_x() * 16 + tx;
  const int row = __lathe_group_id_y() * 16 + ty;
  float sum = 0;
  for (int start = 0; start < n; start += 16) {
    tileA[ty][tx] = a[row * n + start + tx];
    tileB[ty][tx] = b[(start + ty) * n + column];
    barrier();
    for (int k = 0; k < 16; ++k) sum += tileA[ty][k] * tileB[k][tx];
    barrier();
  }
  c[row * n + column] = sum;
}

KERNEL void nestedLoops(int rounds, int* data) {
  SHARED int tile[1024];
  const int i = itemX();
  int mine = data[globalX()];
  for (int a = 0; a < rounds; ++a) {
    tile[i] = mine + a;
    barrier();
    for (int b = 0; b < a; ++b) {
      mine += tile[(i + b + 1) % sizeX()];
      barrier();
      tile[i] = mine ^ b;
      barrier();
    }
    mine += a;
    barrier();
  }
  data[globalX()] = mine;
}

inline int wrapped(unsigned value) {  // sums of data need not fit an int
  return static_cast<int>(value);
}

KERNEL void conditionalExit(int* data, int bound) {  // the case that loop fission gets wrong
  SHARED int total;
  SHARED int tile[1024];
  const int i = itemX();
  int mine = data[globalX()];
  for (int iteration = 0;; ++iteration) {
    tile[i] = mine;
    barrier();
    if (i == 0) {
      total = 0;
      for (int k = 0; k < sizeX(); ++k) total = wrapped(unsigned(total) + unsigned(tile[k]));
    }
    barrier();
    if (total > bound) break;
    mine = wrapped(unsigned(mine) * 2 + unsigned(tile[(i + 1) % sizeX()]) + unsigned(iteration));
    barrier();
    if (iteration == 20) return;
  }
  data[globalX()] = wrapped(unsigned(mine) + unsigned(total));
}

KERNEL void uniformBranches(int mode, int* data) {
  SHARED int tile[1024];
  const int i = itemX();
  tile[i] = data[globalX()];
  int extra = i * 3;
  if (mode & 1) {
    barrier();
    extra += tile[(i + 1) % sizeX()];
    if (mode & 2) {
      barrier();
      tile[i] = extra;
    }
    barrier();
  } else if (mode & 4) {
    barrier();
    extra -= tile[(i + 2) % sizeX()];
  }
  barrier();
  data[globalX()] = extra + tile[(i + 3) % sizeX()];
}

KERNEL void adjacentBarriers(int* data) {
  barrier();
  barrier();
  SHARED int tile[1024];
  tile[itemX()] = data[globalX()];
  barrier();
  barrier();
  barrier();
  data[globalX()] = tile[sizeX() - 1 - itemX()];
  barrier();
}

inline int exchange(int value, int* tile, int distance) {
  tile[itemX()] = value;
  barrier();
  const int other = tile[(itemX() + distance) % sizeX()];
  barrier();
  return other;
}

__attribute__((noinline)) int exchangeTwice(int value, int* tile) {
  return exchange(exchange(value, tile, 1) + itemX(), tile, 2);
}

KERNEL void barrierInCallee(int* data) {
  SHARED int tile[1024];
  int value = data[globalX()];
  for (int i = 0; i < 3; ++i) value += exchangeTwice(value, tile);
  data[globalX()] = value;
}

KERNEL void earlyReturnBeforeTail(int n, int* data) {
  SHARED int tile[1024];
  tile[itemX()] = itemX() * itemX();
  barrier();
  if (globalX() >= n) return;
  data[globalX()] += tile[sizeX() - 1 - itemX()];
}

KERNEL void divergentReturn(int n, int* data) {  // the rest meets without those who left
  SHARED int tile[1024];
  const int i = itemX();
  tile[i] = -1;
  barrier();
  const int value = data[globalX()];
  if (globalX() >= n) return;
  tile[i] = value;
  barrier();
  int sum = 0;
  for (int k = 1; k < 4; ++k) sum += tile[(i + k) % sizeX()];
  barrier();
  if (value & 1) return;
  tile[i] = sum;
  barrier();
  data[globalX()] = tile[(i + 1) % sizeX()] + value;
}

KERNEL void guardedLoop(int n, int rounds, int* data) {  // returns, then barriers in a loop
  SHARED int tile[1024];
  const int i = itemX();
  if (i >= n) return;
  int mine = data[globalX()];
  for (int k = 0; k < rounds; ++k) {
    tile[i] = mine;
    barrier();
    mine += tile[i + 1 < n ? i + 1 : 0];
    barrier();
  }
  data[globalX()] = mine;
}

KERNEL void privateAcrossBarrier(int* data) {
  SHARED int tile[1024];
  int history[8];
  int mine = data[globalX()];
  for (int k = 0; k < 8; ++k) {
    tile[itemX()] = mine;
    barrier();
    mine = tile[(itemX() + 1) % sizeX()] + k;
    history[(k * 3 + itemX()) & 7] = mine;
    barrier();
  }
  int sum = 0;
  for (int k = 0; k < 8; ++k) sum += history[(k + mine) & 7] * (k + 1);
  data[globalX()] = sum;
}

KERNEL void manyTypes(const double* in, double* out) {
  SHARED double tile[1024];
  const double wide = in[globalX()] * 1.5;
  const float narrow = static_cast<float>(wide) + 0.25f;
  const bool positive = narrow > 0.5f;
  const short small = static_cast<short>(wide * 3.0);
  const long long large = static_cast<long long>(wide * 1e9);
  const double* const pointer = in + (small & 7);
  tile[itemX()] = wide;
  barrier();
  const double other = tile[(itemX() + 1) % sizeX()];
  out[globalX()] = other + static_cast<double>(narrow) + (positive ? 1.0 : -1.0) + small +
                   static_cast<double>(large % 1000) + *pointer;
}

KERNEL void dynamicReverse(int* data) {
  SHARED char small[3];
  if (itemX() == 0) small[1] = 5;
  dynamicBlock()[itemX()] = data[globalX()];
  barrier();
  data[globalX()] = dynamicBlock()[sizeX() - 1 - itemX()] + small[1];
}

KERNEL void stencilShared(int n, int steps, float* data) {  // values carried around a loop by phis
  SHARED float tile[1026];
  const int i = itemX() + 1;
  float before = 0, now = globalX() < n ? data[globalX()] : 0.0f;
  if (itemX() == 0) tile[0] = tile[sizeX() + 1] = 0;
  for (int step = 0; step < steps; ++step) {
    tile[i] = now;
    barrier();
    const float next = 0.25f * (tile[i - 1] + tile[i + 1]) + 0.5f * now - 0.125f * before;
    before = now;
    now = next;
    barrier();
  }
  if (globalX() < n) data[globalX()] = now + before;
}

KERNEL void runtimeTile(int depth, const float* __restrict in, float* __restrict out) {  // inner loop of unknown length
  SHARED float tile[256];
  const int i = itemX();
  float sum = 0;
  for (int block = 0; block < 4; ++block) {
    tile[i] = in[block * sizeX() + i];
    barrier();
    for (int k = 0; k < depth; ++k) sum += tile[k] * static_cast<float>(i + k);
    barrier();
  }
  out[globalX()] = sum;
}

KERNEL void divergentLoop(const int* __restrict in, int* __restrict out) {  // items leave the loop one by one
  SHARED int tile[1024];
  const int i = itemX();
  int iterations = 0, value = in[globalX()] & 63;
  while (value > 1) {
    value = value & 1 ? 3 * value + 1 : value / 2;
    ++iterations;
  }
  tile[i] = iterations;
  barrier();
  out[globalX()] = tile[(i + 1) % sizeX()] * 100 + iterations;
}

KERNEL void collatz(int limit, const int* __restrict in, int* __restrict out) {  // two ways out of the loop
  unsigned value = static_cast<unsigned>(in[globalX()]);
  int iterations = 0;
  while (value > 1) {
    value = value & 1 ? 3 * value + 1 : value / 2;
    if (++iterations == limit) {
      iterations = -static_cast<int>(value);
      break;
    }
  }
  out[globalX()] = iterations;
}

KERNEL void newton(const double* __restrict in, double* __restrict out) {  // some have nothing to do
  const double x = in[globalX()];
  double root = x, iterations = 0;
  if (x > 0.25) {
    do {
      const double next = 0.5 * (root + x / root);
      const double change = next - root;
      root = next;
      iterations += 1;
      if (iterations > 12) root += 1;
      if (change * change < 1e-12) break;
    } while (iterations < 20);
    root -= iterations;
  } else {
    root = -1;
  }
  out[globalX()] = root + x;
}

KERNEL void walks(int width, int table, const int* __restrict in, int* __restrict out) {  // loads, three ends, 3-D
  const int place = (__lathe_item_id_z() * __lathe_group_size_y() + __lathe_item_id_y()) * width + globalX();
  int at = in[place] % table, sum = 0;
  unsigned state = static_cast<unsigned>(at) * 2654435761U;
  for (int step = 0;; ++step) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    state = state * 1664525U + 1013904223U;
    state ^= state >> 15;
    state = state * 22695477U + 1U;
    if (state % 16 == 0) {
      sum -= in[static_cast<int>(state >> 16 & 1U)];
      if (sum < -3000) break;
    }
    if (state % 37 == 5) {
      sum = sum * 3 + step;
      break;
    }
    sum += static_cast<int>(state >> 20 & 15U) + at;
    at = (at * 5 + 1) & 63;
    if (step == 100) return;
  }
  out[place] = sum + at;
}

KERNEL void assumes(unsigned limit, const float* __restrict in, float* __restrict out) {
  float x = in[globalX()];
  if (!(x >= 0.0f)) __builtin_unreachable();
  unsigned step = 0;
  for (; step < limit && x < 4.0f; ++step) x = x * x + 0.25f;
  out[globalX()] = static_cast<float>(step);
}

KERNEL void wanders(int limit, const int* __restrict in, int* __restrict out) {  // a local array for each item
  int seen[8] = {};
  unsigned value = static_cast<unsigned>(in[globalX()]);
  for (int iteration = 0; iteration < limit && seen[value % 8] < 3; ++iteration) {
    seen[value % 8] += 1;
    value = value * 1664525U + 1013904223U;
  }
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum = sum * 4 + seen[i];
  out[globalX()] = sum;
}

KERNEL void bitonicSort(int* data) {
  SHARED int tile[1024];
  const int i = itemX();
  tile[i] = data[globalX()];
  barrier();
  for (int k = 2; k <= sizeX(); k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
      const int other = i ^ j;
      if (other > i && other < sizeX()) {
        const int a = tile[i], b = tile[other];
        if ((i & k) == 0 ? a > b : a < b) {
          tile[i] = b;
          tile[other] = a;
        }
      }
      barrier();
    }
  }
  data[globalX()] = tile[i];
}

KERNEL void loopAround(int outer, int depth, const float* __restrict a, float* __restrict out) {
  const int i = globalX();
  if (i % 5 == 3) return;
  float total = 0;
  for (int r = 0; r < outer; ++r) {
    float sum = static_cast<float>(r);
    for (int k = 0; k < depth; ++k) sum = sum * 0.5f + a[k * 64 + itemX()];
    if ((i + r) % 3 == 0) continue;
    total += sum;
    for (int k = 0; k < depth; ++k) total -= a[k * 64 + itemX()] * 0.125f;
  }
  out[i] = total;
}

// Loops that items leave one by one, but at their end only.

KERNEL void gridStrideSum(int n, const float* __restrict in, float* __restrict out) {
  float sum = 0;
  for (int i = globalX(); i < n; i += __lathe_group_count_x() * sizeX()) sum = sum * 0.5f + in[i];
  out[globalX()] = sum;
}

KERNEL void gridStrideWide(long n, float a, const float* __restrict x, float* __restrict y) {
  const unsigned size = static_cast<unsigned>(sizeX()), count = static_cast<unsigned>(__lathe_group_count_x());
  const unsigned long first = static_cast<unsigned long>(__lathe_group_id_x()) * size + static_cast<unsigned>(itemX());
  for (unsigned long i = first; i < static_cast<unsigned long>(n); i += static_cast<unsigned long>(count) * size)
    y[i] = a * x[i] + y[i];
}

KERNEL void gridStrideInt(int n, float a, const float* x, float* y) {  // whose counter may wrap before it is extended
  const int first = __lathe_group_id_x() * sizeX() + itemX(), step = __lathe_group_count_x() * sizeX();
  for (int i = first; i < n; i += step) y[i] = a * x[i] + y[i];
}

KERNEL void gridStrideTotal(int n, const float* in, float* out) {  // the first place is used behind the loop, too
  const int first = __lathe_group_id_x() * sizeX() + itemX(), step = __lathe_group_count_x() * sizeX();
  float sum = 0;
  for (int i = first; i < n; i += step) sum = sum * 0.5f + in[i];
  out[first] = sum;
}

KERNEL void gridStrideShared(int n, const float* __restrict a, const float* __restrict b, float* __restrict out) {
  SHARED float sums[256];  // whose sum is in a register while the loop runs
  const int item = itemX();
  sums[item] = 0.5f;
  for (int i = globalX(); i < n; i += __lathe_group_count_x() * sizeX()) sums[item] = sums[item] * 0.75f + a[i] * b[i];
  barrier();
  out[globalX()] = sums[item] + sums[(item + 1) % sizeX()];
}

KERNEL void gridStrideBranch(unsigned n, const int* __restrict in, int* __restrict out) {  // a choice in the body
  int sum = 0;
  const unsigned step = static_cast<unsigned>(__lathe_group_count_x() * sizeX());
  for (unsigned i = static_cast<unsigned>(globalX()); i < n; i += step) {
    if (in[i] & 1) sum += static_cast<int>(i);
    sum ^= in[i];
  }
  out[globalX()] = sum;
}

KERNEL void groupStride(int n, const int* __restrict in, int* __restrict out) {  // with barriers around
  SHARED int part[256];
  const int item = itemX();
  const int* const mine = in + __lathe_group_id_x() * n;
  part[item] = item;
  barrier();
  int sum = part[(item + 1) % sizeX()];
  for (int i = item; i < n; i += sizeX()) sum += mine[i] * (i + 1);
  barrier();
  part[item] = sum;
  barrier();
  out[globalX()] = sum + part[(item + 3) % sizeX()];
}

KERNEL void wrappingStride(unsigned first, unsigned n, unsigned step, unsigned* out) {
  unsigned sum = 1;
  for (unsigned i = first + static_cast<unsigned>(itemX()); i < n; i += step) sum = sum * 3 + i;
  out[globalX()] = sum;
}

KERNEL void signedStride(int first, int n, int step, int* out) {
  unsigned sum = 1;
  for (int i = first + itemX(); i < n; i += step) sum = sum * 3 + static_cast<unsigned>(i);
  out[globalX()] = static_cast<int>(sum);
}

KERNEL void widenedStride(unsigned first, int n, int step,
                          long* out) {  // counts in 64 bits from where 32 may have wrapped
  const int place = static_cast<int>(first + static_cast<unsigned>(itemX()));
  long sum = 1, last = 7;
  for (int i = place; i < n; i += step) sum = sum * 3 + i, last = i;
  out[globalX()] = sum + last + place;
}

KERNEL void divides(int n, const int* __restrict a, const int* __restrict b, int* __restrict quotient,
                    int* __restrict remainder) {
  const int i = globalX();
  if (i >= n) return;
  const int x = a[i], y = b[i];
  if (y != 0 && (y != -1 || x >= -2147483647)) quotient[i] = x / y, remainder[i] = x % y;
}

KERNEL void dividesUnsigned(int n, const unsigned* __restrict a, const unsigned* __restrict b,
                            unsigned* __restrict quotient, unsigned* __restrict remainder) {
  const int i = globalX();
  if (i < n && b[i] != 0) quotient[i] = a[i] / b[i], remainder[i] = a[i] % b[i];
}

KERNEL void dividesByOne(int n, int y, const int* __restrict a, int* __restrict quotient, int* __restrict remainder) {
  const int i = globalX();
  if (i < n && (y != -1 || a[i] >= -2147483647)) quotient[i] = a[i] / y, remainder[i] = a[i] % y;
}

KERNEL void dividesByOneUnsigned(int n, unsigned y, const unsigned* __restrict a, unsigned* __restrict quotient,
                                 unsigned* __restrict remainder) {
  const int i = globalX();
  if (i < n && y != 0) quotient[i] = a[i] / y, remainder[i] = a[i] % y;
}

KERNEL void dividesWide(int n, unsigned long y, long z, const unsigned* __restrict a, unsigned long* __restrict out,
                        long* __restrict outSigned) {  // numbers that are known to have 50 bits
  const int i = globalX();
  if (i >= n) return;
  const unsigned long x = a[i] * 262143UL;
  out[i] = x / y * 5 + x % y;
  outSigned[i] = static_cast<long>(x) / z * 5 + static_cast<long>(x) % z;
}

KERNEL void rowsAndColumns(unsigned long n, int columns, const float* __restrict in, float* __restrict out) {
  const unsigned long i = static_cast<unsigned long>(__lathe_group_id_x()) * static_cast<unsigned long>(sizeX()) +
                          static_cast<unsigned long>(itemX());
  if (i >= n) return;
  const unsigned long width = static_cast<unsigned long>(columns);
  out[i] = in[i] * static_cast<float>(i / width) + static_cast<float>(i % width);
}

KERNEL void guardedBytes(int n, const unsigned char* __restrict in, const int* __restrict which,
                         unsigned char* __restrict out) {  // conditions in conditions, loads that follow each other
  const int i = globalX();
  if (i >= n) return;
  const int k = which[i];
  float sum = 1;
  for (int j = 0; j < 12; ++j) sum = sum * 0.75f + static_cast<float>((k >> j) & 3) * (sum - 0.5f);
  if ((k & 3) != 0) {
    int value = in[k & 63];
    if (value > 100) {
      const int next = in[(value * 7 + k) & 63];
      for (int j = 0; j < 12; ++j) sum = sum * 0.5f + static_cast<float>(next ^ j) * 0.125f;
      value = next > 50 ? in[next & 31] : value + 1;
      out[3 * i] = static_cast<unsigned char>(value + next);
    } else {
      for (int j = 0; j < 12; ++j) sum = sum * 0.25f - static_cast<float>(value + j);
      if (value & 1) out[3 * i] = in[value >> 1 & 63];
    }
    out[3 * i + 1] = static_cast<unsigned char>(static_cast<int>(sum) & 127);
  }
  out[3 * i + 2] = static_cast<unsigned char>(static_cast<int>(sum * 3) & 63);
}

// Written for one group size, but launched with others too.

KERNEL void treeOf64(unsigned n, const float* __restrict in, float* __restrict out) {
  SHARED float part[128];
  const unsigned item = static_cast<unsigned>(itemX()), group = static_cast<unsigned>(__lathe_group_id_x());
  float sum = 0;
  for (unsigned i = group * 64 + item; i < n; i += static_cast<unsigned>(__lathe_group_count_x()) * 64) sum += in[i];
  part[item] = sum;
  barrier();
  for (unsigned half = 32; half > 0; half /= 2) {
    if (item < half) part[item] += part[item + half];
    barrier();
  }
  if (item == 0) out[group] = part[0];
}

KERNEL void tilesOf8(int n, const int* __restrict in, int* __restrict out) {
  const int x = __lathe_group_id_x() * 8 + itemX(), y = __lathe_group_id_y() * 4 + itemY();
  if (x < n && y < n) __atomic_fetch_add(&out[y * n + x], in[x * n + y] + sizeX(), __ATOMIC_RELAXED);
}

KERNEL void arrayOf64(int* data) {  // the size shows in the array alone
  SHARED int part[64];
  const int item = itemX();
  part[item] = data[globalX()];
  barrier();
  data[globalX()] = part[item ^ 1] - part[sizeX() - 1];
}

// Barriers met at different calls, as often by each part of the group.

KERNEL void makersAndTakers(int iterations, int* data) {
  SHARED int tile[2][256];
  const int half = sizeX() / 2, i = itemX() % (half > 0 ? half : 1);
  int value = data[globalX()];
  if (itemX() < half) {
    for (int iteration = 0; iteration < iterations; ++iteration) {
      tile[iteration & 1][i] = value + iteration;
      barrier();
      value = value * 3 + iteration;
    }
    barrier();
  } else {
    barrier();
    for (int iteration = 0; iteration < iterations; ++iteration) {
      if (half > 0) value += tile[iteration & 1][i] * (iteration + 1);
      barrier();
    }
  }
  data[globalX()] = value;
}

// Not what barriers are for; it must end all the same.

KERNEL void barrierForSome(int* data) {
  if (itemX() % 3 == 0) barrier();
  data[globalX()] += itemX();
}

KERNEL void differentBarriers(int* data) {
  const int i = itemX();
  if (i & 1) {
    for (int k = 0; k < i % 4; ++k) barrier();
    data[globalX()] += 1;
  } else {
    barrier();
    data[globalX()] += 2;
    if (i & 2) return;
    barrier();
    data[globalX()] += 4;
  }
}
