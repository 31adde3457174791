// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and functions for C programs: by-value structures, templates, namespaces, memory of all kinds.
#include <lathe/device.h>

struct Point {
  float x, y;
};

/// Padding in the middle and at the end, an array, a nested structure, a pointer.
struct Params {
  signed char tag;
  double scale;
  Point at[2];
  const float* table;
  unsigned short last;
};

struct alignas(32) Wide {
  int values[4];
};

union Either {
  int whole;
  unsigned char bytes[4];
};

struct Flags {
  unsigned low : 3;
  unsigned high : 5;
  int plain;
};

LATHE_KERNEL void saxpy(unsigned n, float a, const float* x, float* y) {
  const unsigned i = lathe::global_id().x;
  if (i < n) y[i] += a * x[i];
}

LATHE_KERNEL void apply(Params p, Wide wide, Either either, Flags flags, bool negate, short offset, double* out) {
  const unsigned i = lathe::global_id().x;
  const double value = p.scale * double(p.table[i]) + double(p.at[1].y) + p.tag + p.last + wide.values[3] +
                       either.bytes[0] + flags.low + flags.high + flags.plain + offset;
  out[i] = negate ? -value : value;
}

namespace image {
template <class T>
LATHE_KERNEL void scale(T by, T* data) {
  data[lathe::global_id().x] *= by;
}
template LATHE_KERNEL void scale<float>(float, float*);
template LATHE_KERNEL void scale<int>(int, int*);
}  // namespace image

/// Values live across barriers, and launch-sized shared memory.
LATHE_KERNEL void group_sums(const int* in, int* out) {
  int* const part = lathe::dynamic_shared<int>();
  const unsigned i = lathe::item_id().x;
  const int own = in[lathe::global_id().x];
  part[i] = own;
  for (unsigned step = lathe::group_size().x / 2; step > 0; step /= 2) {
    lathe::barrier();
    if (i < step) part[i] += part[i + step];
  }
  lathe::barrier();
  out[lathe::global_id().x] = part[0] * 100 + own;
}

/// Static shared memory only: no scratch.
LATHE_KERNEL void reverse(int* data) {
  LATHE_SHARED int tile[16];
  const unsigned i = lathe::item_id().x, n = lathe::group_size().x;
  tile[i] = data[lathe::global_id().x];
  lathe::barrier();
  data[lathe::global_id().x] = tile[n - 1 - i];
}

LATHE_KERNEL LATHE_BOUNDS(64) void where(unsigned* out) {
  const lathe::uint3 at = lathe::group_id(), count = lathe::group_count();
  out[(at.z * count.y + at.y) * count.x + at.x] = at.x + 100 * at.y + 10000 * at.z + 1000000 * lathe::group_size().y;
}

LATHE_EXPORT float dot(const float* a, const float* b, unsigned n) {
  float sum = 0;
  for (unsigned i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}
LATHE_EXPORT unsigned char flip(unsigned char bits, bool really) {
  return really ? static_cast<unsigned char>(~bits) : bits;
}
LATHE_EXPORT const Point* further(const Point* a, const Point* b) {
  return a->x * a->x + a->y * a->y < b->x * b->x + b->y * b->y ? b : a;
}
