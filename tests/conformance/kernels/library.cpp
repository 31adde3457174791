// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ library where Lathe has a part of its own: sorting of short and long arrays, of numbers and of others.
#include <lathe/device.h>
#include <algorithm>
#include <functional>

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
