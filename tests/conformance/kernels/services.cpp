// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that print, assert and trap; services_test.cpp says what must come of it.
#include <lathe/device.h>
#include <cassert>
#include <cstdio>

LATHE_KERNEL void conversions(int n, long wide, double x, const int* address) {
  std::printf("no argument, 100%%\n");
  std::printf("%d|%5d|%-5d|%05d|%+d|%i|%u|%x|%#X|%o\n", n, n, n, n, n, -n, n, n, n, n);
  std::printf("%ld|%lld|%lu|%lx|%zu\n", wide, static_cast<long long>(-wide), static_cast<unsigned long>(wide), wide,
              sizeof(wide));
  std::printf("%hd|%hhd|%c|%c\n", static_cast<short>(-n), static_cast<signed char>(n), 'a', 'b' + 1);
  std::printf("%f|%.3f|%10.2e|%-10g|%G|%a\n", x, x, x, x, x * 1e10, 0.5);
  std::printf("%f %d %f\n", static_cast<double>(1.5f), n, -x);
  std::printf("%*d|%-*d|%.*f|%*.*f\n", 6, n, 6, n, 2, x, 8, 1, x);
  std::printf("%s|%10s|%-6s|%.2s|%s\n", "text", "right", "left", "cut off", "");
  std::printf("%p\n", static_cast<const void*>(address));
}

template <class... Arguments>
void log(const char* format, Arguments... arguments) {
  printf(format, arguments...);
}
/// The format is not a constant where printf is called, and the function is not inlined at -O0.
LATHE_KERNEL void forwarded(int n) {
  log("n is %d\n", n);
  log("%s: %*s of %p, %s\n", "name", 6, "six", static_cast<const void*>(nullptr), n > 3 ? "large" : "small");
}

/// Every item prints one line; texts of different items are not mixed.
LATHE_KERNEL void lines(int* results) {
  const unsigned i = lathe::global_id().x;
  results[i] = printf("item %u of group %u: %f\n", lathe::item_id().x, lathe::group_id().x, i * 0.5);
}

LATHE_KERNEL void flood(int* results) {
  const unsigned i = lathe::global_id().x;
  results[i] = printf("%u %s\n", i, "a text of some length, so that the buffer is soon full of it, and then too full");
}

LATHE_KERNEL void checked(const int* values, int* out, int bad) {
  const unsigned i = lathe::global_id().x;
  out[i] = values[i] + 1;
  assert(values[i] != bad);
  out[i] = values[i] + 2;
}

/// Some items fail in a branch; the others would wait for them at a barrier.
LATHE_KERNEL void divergent(const int* values, int* out, int bad) {
  LATHE_SHARED int tile[64];
  const unsigned i = lathe::item_id().x;
  tile[i] = values[i];
  if (i % 2 == 1) {
    if (values[i] == bad) {
      printf("item %u fails\n", i);
      assert(!"bad value");
    }
    tile[i] *= 2;
  }
  lathe::barrier();
  out[i] = tile[lathe::group_size().x - 1 - i];
}

/// A group fails before the barrier that the whole grid waits at.
LATHE_KERNEL void met(int* out, int bad) {
  const unsigned group = lathe::group_id().x, groups = lathe::group_count().x;
  assert(static_cast<int>(group) != bad);
  if (lathe::item_id().x == 0) out[group] = static_cast<int>(group) + 1;
  lathe::grid().barrier();
  if (lathe::item_id().x == 0) out[groups + group] = out[groups - 1 - group];
}

LATHE_KERNEL void trapped(int when) {
  if (static_cast<int>(lathe::global_id().x) == when) lathe::trap();
}

LATHE_KERNEL void builtin_trap(int when) {
  if (static_cast<int>(lathe::global_id().x) == when) __builtin_trap();
}

/// On a CPU neither becomes part of the kernel: they report no item.
int recursive(int n, int bad) {
  assert(n != bad);
  return n <= 0 ? 0 : 1 + recursive(n - 1, bad);
}
int positive(int n) {
  assert(n > 0);
  return n;
}
int negative(int n) {
  if (n >= 0) __builtin_trap();
  return -n;
}
LATHE_KERNEL void separate(int n, int bad, int* out) {
  assert(n < 100);
  out[0] = recursive(n, bad);
}
#ifndef NO_POINTERS  // a state does not travel through them
LATHE_KERNEL void through_pointer(int n, int* out) {
  int (*const table[])(int) = {positive, negative};
  out[0] = table[n & 1](n);
}
#endif

__attribute__((noinline)) int deep(int n, int bad) {
  assert(n - bad != 0);
  return n <= 0 ? 1 : n * 2;
}
/// The state must reach a function that is not inlined, and through another.
__attribute__((noinline)) int deeper(int n, int bad) {
  printf("%d\n", n);
  return deep(n, bad) + 1;
}
LATHE_KERNEL void nested(int n, int bad, int* out) {
  out[0] = deeper(n, bad);
}
