// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in Lathe's language that every executing target must get right: indexing, shared memory, by-value classes,
// constants, mathematics.
#include <lathe/device.h>

LATHE_KERNEL void index3(unsigned width, unsigned height, unsigned depth, unsigned* out) {
  const lathe::uint3 at = lathe::global_id();
  if (at.x < width && at.y < height && at.z < depth)
    out[(at.z * height + at.y) * width + at.x] = at.x + 100 * at.y + 10000 * at.z;
}

template <class T>
LATHE_KERNEL void axpy(unsigned n, T a, const T* x, T* y) {
  const unsigned i = lathe::global_id().x;
  if (i < n) y[i] = a * x[i] + y[i];
}

LATHE_KERNEL void flag(unsigned* seen) {
  LATHE_SHARED unsigned raised;
  if (lathe::item_id().x == 0) raised = 7;
  lathe::barrier();
  seen[lathe::global_id().x] = raised;
}

/// Halving in launch-sized shared memory: a barrier in a loop, and one in a branch that the whole group takes.
LATHE_KERNEL void group_sums(int doubled, const int* in, int* out) {
  int* const part = lathe::dynamic_shared<int>();
  const unsigned i = lathe::item_id().x;
  part[i] = in[lathe::global_id().x];
  for (unsigned step = lathe::group_size().x / 2; step > 0; step /= 2) {
    lathe::barrier();
    if (i < step) part[i] += part[i + step];
  }
  if (doubled) {
    lathe::barrier();
    if (i == 0) part[0] *= 2;
  }
  if (i == 0) out[lathe::group_id().x] = part[0];
}

/// Values that live across barriers in a loop: each round shifts the group's values by one item.
LATHE_KERNEL void rotate(int rounds, int* data) {
  LATHE_SHARED int ring[64];
  const unsigned i = lathe::item_id().x, n = lathe::group_size().x;
  int own = data[lathe::global_id().x], sum = 0;
  for (int round = 0; round < rounds; ++round) {
    ring[i] = own;
    lathe::barrier();
    own = ring[(i + 1) % n];
    lathe::barrier();
    sum += own;
  }
  data[lathe::global_id().x] = sum;
}

struct Inner {
  signed char tag;
  double weight;
};
struct Outer {
  Inner inner;
  unsigned short counts[3];
  int last;
};
LATHE_KERNEL void unpack(Outer outer, short before, double* out) {
  out[0] = outer.inner.tag;
  out[1] = outer.inner.weight;
  for (int i = 0; i < 3; ++i) out[2 + i] = outer.counts[i];
  out[5] = outer.last;
  out[6] = before;
}

LATHE_CONSTANT float weights[4] = {0.5f, -1, 2, 8};
LATHE_KERNEL void weigh(float* data) {
  data[lathe::global_id().x] *= weights[lathe::global_id().x % 4];
}

LATHE_KERNEL void mathematics(const float* in, float* out) {
  const unsigned i = lathe::global_id().x;
  const float x = in[i];
  float* const row = out + 8 * i;
  row[0] = std::sin(x);
  row[1] = std::cos(x);
  row[2] = std::exp(x);
  row[3] = std::log(std::fabs(x) + 1);
  row[4] = std::sqrt(std::fabs(x));
  row[5] = std::pow(std::fabs(x) + 0.5f, 1.5f);
  row[6] = std::atan2(x, 2.0f);
  row[7] = std::floor(x) + std::fmin(x, 0.25f);
}

/// By value into a function of its own, which changes its copy.
[[gnu::noinline]] double changed(Outer outer, int k) {
  outer.counts[k] += 1;
  outer.inner.weight *= 2;
  return outer.inner.weight + outer.counts[k] + outer.last;
}
LATHE_KERNEL void pass_on(Outer outer, double* out) {
  const unsigned i = lathe::global_id().x;
  outer.last = int(i);
  out[2 * i] = changed(outer, int(i % 3));
  out[2 * i + 1] = outer.inner.weight + outer.counts[i % 3];
}
