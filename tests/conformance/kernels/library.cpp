// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ library where Lathe has a part of its own: sorting of short and long arrays, of numbers and of others;
// functions for bytes, to which searches and comparisons come down; mathematics that is C++'s alone.
#include <lathe/device.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string_view>

struct Keyed {
  int key;
  float value;
};

LATHE_KERNEL void sorted(float* numbers, Keyed* keyed, int* ranged, int length) {
  const int i = static_cast<int>(lathe::global_id().x);
  const int n = length - 7 * i;
  std::sort(numbers + i * length, numbers + i * length + n);
  std::sort(keyed + i * length, keyed + i * length + n, [](const Keyed& a, const Keyed& b) { return b.key < a.key; });
  std::ranges::sort(ranged + i * length, ranged + i * length + n, std::ranges::greater());
  std::sort(ranged + i * length, ranged + i * length + 5);
}

/// Texts of `length` characters, ended by a zero: eight answers an item.
LATHE_KERNEL void searched(const char* texts, int length, int* out) {
  const int i = static_cast<int>(lathe::global_id().x);
  const char* const mine = texts + i * (length + 1);
  const char* const other = texts + (i + 1) % static_cast<int>(lathe::global_size().x) * (length + 1);
  const std::string_view text(mine, static_cast<unsigned long>(length));
  out += 8 * i;
  out[0] = static_cast<int>(std::find(mine, mine + length, 'c') - mine);
  out[1] = static_cast<int>(text.find(std::string_view("ba")));
  out[2] = text.compare(other) < 0;
  out[3] = std::equal(mine, mine + 2, other);
  out[4] = static_cast<int>(__builtin_strlen(mine));
  out[5] = std::strncmp(mine, other, 1) > 0;
  const char* const first = std::strchr(mine, 'b');
  out[6] = first ? static_cast<int>(first - mine) : -1;
  out[7] = static_cast<int>(std::lexicographical_compare(mine, mine + length, other, other + length));
}

/// Equal keys keep their order; needs room for a copy where there is some.
LATHE_KERNEL void stable(Keyed* keyed, int length) {
  Keyed* const mine = keyed + static_cast<int>(lathe::global_id().x) * length;
  std::stable_sort(mine, mine + length, [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
}

LATHE_KERNEL void between(const float* x, float* out) {
  const unsigned i = lathe::global_id().x;
  out[4 * i] = std::lerp(x[i], x[i + 1], 0.25f);
  out[4 * i + 1] = std::lerp(x[i], x[i + 1], 1.0f);
  out[4 * i + 2] = std::hypot(x[i], x[i + 1], x[i + 2]);
  out[4 * i + 3] = static_cast<float>(std::lerp(1, 3.0, x[i]));
}

/// Parts of an array are moved onto places that they overlap, to either side.
LATHE_KERNEL void moved(const int* in, unsigned char* out) {
  const unsigned i = lathe::global_id().x;
  unsigned char bytes[40];
  for (int n = 0; n < 40; ++n) bytes[n] = static_cast<unsigned char>(in[i] + n);
  std::memmove(bytes + 1, bytes + 3, 12);
  std::memmove(bytes + 22, bytes + 20, 13);
  for (int n = 0; n < 40; ++n) out[40 * i + n] = bytes[(n + in[i]) % 40];
}
