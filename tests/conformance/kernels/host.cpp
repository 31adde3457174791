// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that tests of the host's side launch.
#include <lathe/device.h>

/// Elements by address and number, as std::span has them.
struct Numbers {
  int* data;
  unsigned long size;
};

/// What a host program keeps as a tuple or a struct of buffers.
struct Fields {
  const int* in;
  Numbers out;
  int pair[2];
};

LATHE_KERNEL void addTo(int* x, int n, int k) {
  const int i = static_cast<int>(lathe::global_id().x);
  if (i < n) x[i] += k;
}

LATHE_KERNEL void sumTo(const int* a, const int* b, int* out, int n) {
  const int i = static_cast<int>(lathe::global_id().x);
  if (i < n) out[i] = a[i] + b[i];
}

LATHE_KERNEL void spread(Numbers numbers, int k) {
  const unsigned i = lathe::global_id().x;
  if (i < numbers.size) numbers.data[i] = k * static_cast<int>(i);
}

LATHE_KERNEL void gather(Fields fields) {
  const unsigned i = lathe::global_id().x;
  if (i < fields.out.size) fields.out.data[i] = fields.in[i] * fields.pair[0] + fields.pair[1];
}

/// Works for a while, so that what does not wait for it comes too early.
LATHE_KERNEL void slowly(int* x, int rounds) {
  unsigned state = static_cast<unsigned>(x[0]) + lathe::global_id().x;
  for (int i = 0; i < rounds; ++i) state = state * 1664525u + 1013904223u;
  if (state == 12345u) x[1] = 1;  // seldom: the loop is not removed
  if (lathe::global_id().x == 0) x[0] += 1;
}

/// The n-th number of the Tribonacci sequence modulo 1,000, by recursion that keeps an array in each call.
static int tribonacci(int n) {
  int last[16];
  if (n < 3) return n == 2;
  for (int i = 0; i < 16; ++i) last[i] = i < 3 ? tribonacci(n - 1 - i) : last[i - 1];
  return (last[0] + last[1] + last[(n & 12) + 2]) % 1000;
}

LATHE_KERNEL void deep(int* out, int n) {
  const unsigned i = lathe::global_id().x;
  out[i] = tribonacci(n - static_cast<int>(i % 2));
}

/// Group-shared memory of the launch's size.
LATHE_KERNEL void reverse(int* x) {
  int* const kept = lathe::dynamic_shared<int>();
  const unsigned i = lathe::item_id().x, n = lathe::group_size().x, first = lathe::group_id().x * n;
  kept[i] = x[first + i];
  lathe::barrier();
  x[first + i] = kept[n - 1 - i];
}
