// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of `lathe demo`, in Lathe's kernel language: one source for every target.
//
//   lathe compile demo.cpp --target cuda:sm_90 --emit asm
#include <lathe/device.h>

/// One step of heat diffusion: five-point stencil on a width × height grid, edges kept.
LATHE_KERNEL void stencil(unsigned width, unsigned height, float rate, const float* in, float* out) {
  const unsigned x = lathe::global_id().x;
  const unsigned y = lathe::global_id().y;
  if (x >= width || y >= height) return;
  const unsigned at = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[at] = in[at];
    return;
  }
  const float around = in[at - 1] + in[at + 1] + in[at - width] + in[at + width];
  out[at] = in[at] + rate * (around - 4.0f * in[at]);
}

constexpr unsigned tileSize = 16;

/// c = a b for row-major n × n matrices, n a multiple of 16, groups of 16 × 16: each group keeps a tile of a and of b
/// in shared memory, so that every element is read from global memory n/16 times instead of n.
LATHE_KERNEL void matmul(unsigned n, const float* a, const float* b, float* c) {
  LATHE_SHARED float tileA[tileSize][tileSize];
  LATHE_SHARED float tileB[tileSize][tileSize];
  const unsigned column = lathe::item_id().x;
  const unsigned row = lathe::item_id().y;
  const unsigned x = lathe::group_id().x * tileSize + column;
  const unsigned y = lathe::group_id().y * tileSize + row;
  float sum = 0.0f;
  for (unsigned tile = 0; tile < n; tile += tileSize) {
    tileA[row][column] = a[y * n + tile + column];
    tileB[row][column] = b[(tile + row) * n + x];
    lathe::barrier();
    for (unsigned k = 0; k < tileSize; ++k) sum += tileA[row][k] * tileB[k][column];
    lathe::barrier();
  }
  c[y * n + x] = sum;
}

constexpr unsigned reduceItems = 256;

/// sums[g] = the sum of what group g reads, groups of 256: a tree in shared memory that halves with every barrier.
LATHE_KERNEL void reduce(unsigned n, const float* in, float* sums) {
  LATHE_SHARED float partial[reduceItems];
  const unsigned item = lathe::item_id().x;
  float sum = 0.0f;
  for (unsigned i = lathe::global_id().x; i < n; i += lathe::global_size().x) sum += in[i];
  partial[item] = sum;
  lathe::barrier();
  for (unsigned half = reduceItems / 2; half > 0; half /= 2) {
    if (item < half) partial[item] += partial[item + half];
    lathe::barrier();
  }
  if (item == 0) sums[lathe::group_id().x] = partial[0];
}

/// How many steps of z² + c each point of the picture stays within |z| ≤ 2, at most `limit`.
LATHE_KERNEL void mandelbrot(unsigned width, unsigned height, float left, float top, float step, unsigned limit,
                             unsigned* steps) {
  const unsigned x = lathe::global_id().x;
  const unsigned y = lathe::global_id().y;
  if (x >= width || y >= height) return;
  const float re = left + step * static_cast<float>(x);
  const float im = top + step * static_cast<float>(y);
  float zr = 0.0f;
  float zi = 0.0f;
  unsigned count = 0;
  while (count < limit && zr * zr + zi * zi <= 4.0f) {
    const float next = zr * zr - zi * zi + re;
    zi = 2.0f * zr * zi + im;
    zr = next;
    ++count;
  }
  steps[y * width + x] = count;
}
