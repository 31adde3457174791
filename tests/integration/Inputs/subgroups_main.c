/* Compares what the items of two groups of 80 exchanged with what they should have. Needs nothing of a C library but its
   printf, and gives the launch its scratch memory, so that it runs where there is none. */
#include "subgroups.h"

enum { items = 80, groups = 2, values = 11 };

static unsigned value(unsigned item) {
  return 3 * item + 1;
}

static int wrongValues(const unsigned *row, unsigned i) {
  const unsigned lane = i % 32, first = i - lane, here = first == 64 ? 16 : 32;
  unsigned ballot = 0, sum = 0, k;
  int wrong = 0;
  for (k = 0; k < here; ++k) ballot |= (unsigned)((first + k) % 3 == 0) << k;
  for (k = 0; k < 16; ++k) sum += value(first + (lane & 16) + k);
  const unsigned expected[values] = {
      lane, 32, value(first + (lane & 24) + 5), lane % 16 == 0 ? value(i) : value(i - 1),
      lane % 16 < 14 ? value(i + 2) : value(i), value(first + (lane ^ 3)), ballot, first == 32, first != 64,
      here == 32 ? 0xffffffffu : 0xffffu, sum};
  for (k = 0; k < values; ++k) wrong += row[k] != expected[k];
  return wrong;
}

int check(void);
int check(void) {
  static uint32_t out[values * items * groups];
  static unsigned char scratch[1 << 20];
  struct lathe_launch launch = {.grid = {groups}, .group = {items}, .scratch = scratch, .scratch_bytes = sizeof scratch};
  unsigned i;
  int wrong = 0;
  if (subgroups_scratch(&launch) > sizeof scratch || subgroups(&launch, out) != LATHE_LAUNCH_DONE) return -1;
  for (i = 0; i < items * groups; ++i) wrong += wrongValues(out + values * i, i % items);
  /* The device code has places for so many items. */
  launch.group[0] = 4097;
  if (subgroups(&launch, out) != LATHE_LAUNCH_INVALID) return -2;
  return wrong;
}

#ifndef __wasm__
#include <stdio.h>
int main(void) {
  const int wrong = check();
  printf(wrong == 0 ? "all correct\n" : "wrong: %d\n", wrong);
  return wrong != 0;
}
#endif
